/** Seeded bugs in what the tracker keeps: changes that are lost, half made, or made by the wrong call. */
import { DomainError, type Task } from "../model.js";
import * as rules from "../tasks.js";
import { now } from "../tracker.js";
import type { Faults } from "./fault.js";

export const STATE_FAULTS: Faults = {
  status_drops_dependencies: {
    tracker(tracker, hit) {
      tracker.setStatus = (id, status) =>
        tracker.store.update((state) => {
          const task = rules.setStatus(state, id, status, now());
          if (status === "in_progress" && task.depends_on.length > 0) {
            hit();
            task.depends_on = [];
          }
          return task;
        });
    },
  },

  priority_resets_status: {
    tracker(tracker, hit) {
      tracker.setPriority = (id, priority) =>
        tracker.store.update((state) => {
          const task = rules.setPriority(state, id, priority, now());
          if (task.status !== "remaining") hit();
          return rules.setStatus(state, id, "remaining", now());
        });
    },
  },

  next_claims_task: {
    tracker(tracker, hit) {
      tracker.next = () =>
        tracker.store.update((state) => {
          const next = rules.nextTask(state);
          const answer = structuredClone(next);
          if (next.task !== null && next.task.depends_on.length > 0) {
            hit();
            next.task.status = "in_progress";
          }
          return answer;
        });
    },
  },

  refused_completion_sticks: {
    tracker(tracker, hit) {
      const complete = tracker.complete.bind(tracker);
      tracker.complete = () =>
        complete().catch(async (error: unknown) => {
          await tracker.store.update((state) => {
            state.complete = true;
          });
          hit();
          throw error;
        });
    },
  },

  refused_dependency_sticks: {
    tracker(tracker, hit) {
      const addDependency = tracker.addDependency.bind(tracker);
      tracker.addDependency = (id, dependency) =>
        addDependency(id, dependency).catch(async (error: unknown) => {
          if (!(error as Error).message.includes("closes the cycle")) throw error;
          await tracker.store.update((state) => rules.findTask(state, id).depends_on.push(dependency));
          hit();
          throw error;
        });
    },
  },

  batch_half_applied: {
    tracker(tracker, hit) {
      tracker.addBatch = async (inputs) => {
        const added: Task[] = [];
        for (const [index, input] of inputs.entries()) {
          try {
            added.push(await tracker.addTask(input));
          } catch (error) {
            if (added.length > 0) hit();
            throw new DomainError(`no task was added: tasks[${index}]: ${(error as Error).message}`);
          }
        }
        return added;
      };
    },
  },

  cycle_of_three_hangs: {
    tracker(tracker, hit) {
      tracker.addDependency = (id, dependency) =>
        tracker.store.update((state) => {
          const other = rules.findTask(state, dependency);
          const task = rules.findTask(state, id);
          const isShort = id === dependency || other.depends_on.includes(id);
          if (isShort || task.depends_on.includes(dependency)) return rules.addDependency(state, id, dependency, now());
          task.depends_on.push(dependency);
          return task;
        });
      const next = tracker.next.bind(tracker);
      tracker.next = async () => {
        const { tasks } = await tracker.store.read();
        const dependencies = new Map(tasks.map((task) => [task.id, task.depends_on]));
        for (const task of tasks) walkForever(task.id, dependencies, tasks.length, hit);
        return next();
      };
    },
  },

  self_dependency_overflows: {
    tracker(tracker) {
      const addDependency = tracker.addDependency.bind(tracker);
      tracker.addDependency = (id, dependency) => {
        if (id !== dependency) return addDependency(id, dependency);
        return tracker.store.update((state) => {
          const task = rules.findTask(state, id);
          if (!task.depends_on.includes(id)) task.depends_on.push(id);
          return task;
        });
      };
    },
    async call(call, next, hit) {
      if (call.name !== "task-next") return next();
      const { tasks } = await call.tracker.store.read();
      if (!tasks.some((task) => task.depends_on.includes(task.id))) return next();
      hit();
      throw new RangeError("Maximum call stack size exceeded");
    },
  },

  note_filter_loses_newest: {
    tracker(tracker, hit) {
      const notes = tracker.notes.bind(tracker);
      tracker.notes = async (type) => {
        const found = await notes(type);
        if (type === undefined || found.length === 0 || (await notes()).length < 3) return found;
        hit();
        return found.slice(0, -1);
      };
    },
  },

  ids_restart_after_completion: {
    tracker(tracker, hit) {
      const complete = tracker.complete.bind(tracker);
      tracker.complete = async () => {
        const state = await complete();
        await tracker.store.update((kept) => {
          kept.next_task = 1;
        });
        return state;
      };
      const addTask = tracker.addTask.bind(tracker);
      tracker.addTask = async (input) => {
        const task = await addTask(input);
        const { tasks } = await tracker.store.read();
        if (tasks.filter((other) => other.id === task.id).length > 1) hit();
        return task;
      };
    },
  },

  backlog_priority_lost: {
    tracker(tracker, hit) {
      const setPriority = tracker.setPriority.bind(tracker);
      tracker.setPriority = async (id, priority) => {
        if (priority !== 4) return setPriority(id, priority);
        const task = rules.findTask(await tracker.store.read(), id);
        if (task.priority !== 4) hit();
        return { ...task, priority };
      };
    },
  },

  completed_task_not_kept: {
    tracker(tracker, hit) {
      const addTask = tracker.addTask.bind(tracker);
      tracker.addTask = async (input) => {
        if (input.status !== "completed") return addTask(input);
        return tracker.store.update((state) => {
          const task = rules.addTask(state, input, now());
          state.tasks.pop();
          hit();
          return task;
        });
      };
    },
  },

  depends_not_idempotent: {
    tracker(tracker, hit) {
      tracker.addDependency = (id, dependency) =>
        tracker.store.update((state) => {
          const repeated = state.tasks.find((task) => task.id === id)?.depends_on.includes(dependency);
          const task = rules.addDependency(state, id, dependency, now());
          if (repeated) {
            hit();
            task.depends_on.push(dependency);
          }
          return task;
        });
    },
  },

  percent_breaks_list: {
    tracker(tracker, hit) {
      const list = tracker.list.bind(tracker);
      tracker.list = async () => {
        const overview = await list();
        try {
          Object.values(overview.tasks).flat().forEach((task) => decodeURIComponent(task.content));
        } catch (error) {
          hit();
          throw error;
        }
        return overview;
      };
    },
  },

  total_counts_reopened_twice: {
    tracker(tracker, hit) {
      let reopened = 0;
      tracker.setStatus = (id, status) =>
        tracker.store.update((state) => {
          const before = state.tasks.find((task) => task.id === id)?.status;
          const task = rules.setStatus(state, id, status, now());
          if (before === "completed" && status !== "completed") reopened += 1;
          return task;
        });
      const list = tracker.list.bind(tracker);
      tracker.list = async () => {
        const overview = await list();
        if (reopened > 0) hit();
        return { ...overview, total: overview.total + reopened };
      };
    },
  },
};

/** Follows dependencies without remembering where it has been: a cycle never ends. */
function walkForever(from: string, dependencies: Map<string, string[]>, count: number, hit: () => void): void {
  const walk = (id: string, depth: number): void => {
    if (depth > count) {
      hit();
      for (;;);
    }
    for (const next of dependencies.get(id) ?? []) walk(next, depth + 1);
  };
  walk(from, 0);
}
