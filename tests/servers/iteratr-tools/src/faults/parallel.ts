/** Seeded bugs that need two calls at a time, or a call that is cancelled. */
import { setTimeout as sleep } from "node:timers/promises";
import * as rules from "../tasks.js";
import { now } from "../tracker.js";
import type { Faults } from "./fault.js";

/** How long a careless read-modify-write leaves the door open. */
const WINDOW_MS = 50;

/** Long enough for a cancellation to overtake the call. */
const CANCEL_WINDOW_MS = 25;

let held: Promise<void> = Promise.resolve();

export const PARALLEL_FAULTS: Faults = {
  parallel_notes_lost: {
    tracker(tracker, hit) {
      let numbers = 0;
      tracker.addNote = async (content, type) => {
        const state = await tracker.store.read();
        numbers = Math.max(numbers + 1, state.next_note);
        state.next_note = numbers;
        const known = state.notes.length;
        const note = rules.addNote(state, content, type, now());
        await sleep(WINDOW_MS);
        if ((await tracker.store.read()).notes.length > known) hit();
        await tracker.store.update((kept) => Object.assign(kept, state));
        return note;
      };
    },
  },

  parallel_ids_collide: {
    tracker(tracker, hit) {
      tracker.addTask = async (input) => {
        const { next_task } = await tracker.store.read();
        await sleep(WINDOW_MS);
        return tracker.store.update((state) => {
          const free = state.next_task;
          if (free !== next_task) hit();
          state.next_task = next_task;
          const task = rules.addTask(state, input, now());
          state.next_task = Math.max(free, state.next_task);
          return task;
        });
      };
    },
  },

  parallel_status_lost: {
    tracker(tracker, hit) {
      tracker.setStatus = async (id, status) => {
        const state = await tracker.store.read();
        const before = JSON.stringify(state);
        const task = rules.setStatus(state, id, status, now());
        await sleep(WINDOW_MS);
        if (JSON.stringify(await tracker.store.read()) !== before) hit();
        await tracker.store.update((kept) => Object.assign(kept, state));
        return task;
      };
    },
  },

  cancel_keeps_lock: {
    async call(call, next, hit) {
      const before = held;
      let release: () => void = () => undefined;
      held = new Promise((resolve) => (release = resolve));
      await before;
      await sleep(CANCEL_WINDOW_MS);
      if (call.signal.aborted) {
        hit();
        throw new Error("cancelled");
      }
      return next().finally(release);
    },
  },
};
