"""Every tool, resource and prompt of the clean server, through the official client over stdio, in both eras."""

from __future__ import annotations

import json
import re
import uuid

import jsonschema
import pytest
from mcp import Client, MCPError

from conftest import Caller

pytestmark = pytest.mark.anyio

STRUCTURED = {
    "create_project",
    "get_project",
    "list_projects",
    "update_project",
    "project_stats",
    "get_task",
    "list_tasks",
    "update_task",
    "complete_task",
    "reopen_task",
}
TEXT = {
    "delete_project",
    "restore",
    "export_project",
    "create_task",
    "delete_task",
    "search_tasks",
    "add_comment",
    "get_comment",
    "list_comments",
    "delete_comment",
}
READ_ONLY = {
    "get_project",
    "list_projects",
    "project_stats",
    "export_project",
    "get_task",
    "list_tasks",
    "search_tasks",
    "get_comment",
    "list_comments",
}


def a_name() -> str:
    return f"Project {uuid.uuid4().hex}"


async def a_project(call: Caller) -> str:
    return (await call.structured("create_project", name=a_name()))["id"]


async def a_task(call: Caller, project: str, title: str = "Write", **fields: object) -> str:
    answer = await call.text("create_task", project_id=project, title=title, **fields)
    found = re.fullmatch(rf"Created task (tsk_[0-9a-f]{{8}}) in project {project}", answer)
    assert found
    return found[1]


async def a_comment(call: Caller, task: str, body: str = "Well done") -> str:
    answer = await call.text("add_comment", task_id=task, author="Ada", body=body)
    found = re.fullmatch(rf"Added comment (cmt_[0-9a-f]{{8}}) to task {task}", answer)
    assert found
    return found[1]


async def test_definitions(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == STRUCTURED | TEXT
    for name, tool in tools.items():
        assert tool.description and tool.annotations
        assert tool.input_schema["additionalProperties"] is False
        assert all("description" in argument for argument in tool.input_schema["properties"].values()), name
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert (tool.output_schema is not None) == (name in STRUCTURED)
        assert tool.annotations.read_only_hint == (name in READ_ONLY)


async def test_arguments_are_strict(call: Caller) -> None:
    project = await a_project(call)
    for wrong in ({"limit": "3"}, {"limit": True}, {"limit": 0}, {"limit": 101}, {"status": "gone"}, {"lmit": 3}):
        text = await call.refused("list_tasks", project_id=project, **wrong)
        assert next(iter(wrong)) in text
    assert "Field required" in await call.refused("list_tasks")
    assert (await call.structured("list_tasks", project_id=project, limit=3.0))["items"] == []


async def test_create_and_get_project(call: Caller) -> None:
    name = a_name()
    made = await call.structured("create_project", name=name, description="Über 😀", color="red")
    assert (made["name"], made["description"], made["color"], made["version"]) == (name, "Über 😀", "red", 1)
    assert await call.structured("get_project", project_id=made["id"]) == made
    assert made["id"] in await call.refused("create_project", name=name)
    assert "prj_none" in await call.refused("get_project", project_id="prj_none")


async def test_list_projects_pages(call: Caller) -> None:
    made = [await a_project(call) for _ in range(3)]
    seen: list[str] = []
    cursor = None
    while True:
        page = await call.structured("list_projects", limit=2, cursor=cursor)
        assert len(page["items"]) <= 2
        seen += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == page["total"]
    assert [project for project in seen if project in made] == made
    for forged in ("", "after-", "after--1", "page-2", "after-²"):
        assert "cursor" in await call.refused("list_projects", cursor=forged)
    assert (await call.structured("list_projects", cursor="after-999999999"))["items"] == []


async def test_update_project(call: Caller) -> None:
    project = await a_project(call)
    other = await call.structured("create_project", name=a_name())
    changed = await call.structured("update_project", project_id=project, description="New", expected_version=1)
    assert (changed["description"], changed["version"]) == ("New", 2)
    again = await call.structured("update_project", project_id=project, description="New", expected_version=1)
    assert again == changed, "an update that changes nothing succeeds and leaves the version"
    assert "version 2" in await call.refused("update_project", project_id=project, color="red", expected_version=1)
    assert other["id"] in await call.refused("update_project", project_id=project, name=other["name"])
    assert await call.structured("get_project", project_id=project) == changed


async def test_soft_delete_and_restore_project(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project)
    assert await call.text("delete_project", project_id=project) == f"Moved project {project} with 1 tasks to the trash"
    for tool, arguments in {
        "get_project": {"project_id": project},
        "get_task": {"task_id": task},
        "delete_task": {"task_id": task},
        "create_task": {"project_id": project, "title": "x"},
        "project_stats": {"project_id": project},
        "delete_project": {"project_id": project},
    }.items():
        assert "trash" in await call.refused(tool, **arguments)
    assert await call.text("restore", id=project) == f"Restored project {project}"
    assert (await call.structured("get_task", task_id=task))["project_id"] == project
    assert "trash" in await call.refused("restore", id=project)


async def test_restore_refuses_a_taken_name(call: Caller) -> None:
    first = await call.structured("create_project", name=a_name())
    await call.text("delete_project", project_id=first["id"])
    second = await call.structured("create_project", name=first["name"])
    assert second["id"] in await call.refused("restore", id=first["id"])


async def test_hard_delete_project(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project)
    comment = await a_comment(call, task)
    answer = await call.text("delete_project", project_id=project, hard=True)
    assert answer == f"Deleted project {project} with 1 tasks for good"
    await call.refused("get_project", project_id=project)
    await call.refused("get_task", task_id=task)
    await call.refused("get_comment", task_id=task, comment_id=comment)
    await call.refused("restore", id=project)
    await call.refused("delete_project", project_id=project, hard=True)


async def test_project_stats(call: Caller) -> None:
    project = await a_project(call)
    tasks = [await a_task(call, project) for _ in range(3)]
    await a_comment(call, tasks[0])
    await call.structured("complete_task", task_id=tasks[1])
    await call.text("delete_task", task_id=tasks[2])
    assert await call.structured("project_stats", project_id=project) == {
        "projects": 1,
        "tasks": 2,
        "open_tasks": 1,
        "done_tasks": 1,
        "comments": 1,
        "trashed": 1,
    }
    before = await call.structured("project_stats")
    await call.text("delete_project", project_id=project)
    after = await call.structured("project_stats")
    assert before["projects"] - after["projects"] == 1
    assert before["tasks"] - after["tasks"] == 2
    assert before["comments"] - after["comments"] == 1
    assert after["trashed"] - before["trashed"] == 1


async def test_export_project(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project, title='Say "a, b"', due_on="2026-02-28")
    assert task in await call.text("export_project", project_id=project)
    document = json.loads(await call.text("export_project", project_id=project, format="json"))
    assert [item["id"] for item in document["tasks"]] == [task]
    table = await call.text("export_project", project_id=project, format="csv")
    assert table.splitlines()[1] == f'{task},"Say ""a, b""",open,normal,2026-02-28'


async def test_create_and_get_task(call: Caller) -> None:
    project = await a_project(call)
    plain = await call.structured("get_task", task_id=await a_task(call, project))
    assert (plain["priority"], plain["status"], plain["notes"]) == ("normal", "open", "")
    assert (plain["due_on"], plain["labels"], plain["version"]) == (None, [], 1)
    full = await a_task(call, project, "T", notes="n", priority="urgent", due_on="2024-02-29", labels=["a", "b"])
    read = await call.structured("get_task", task_id=full)
    assert (read["notes"], read["priority"], read["due_on"]) == ("n", "urgent", "2024-02-29")
    assert read["labels"] == ["a", "b"]
    for wrong in ("2023-02-29", "2026-13-01", "2026-1-1", "today", ""):
        assert "due_on" in await call.refused("create_task", project_id=project, title="T", due_on=wrong)
    assert (await call.structured("list_tasks", project_id=project))["total"] == 2


async def test_list_tasks(call: Caller) -> None:
    project = await a_project(call)
    tasks = [await a_task(call, project, priority=level) for level in ("low", "high", "low", "high")]
    await call.structured("complete_task", task_id=tasks[3])
    first = await call.structured("list_tasks", project_id=project, limit=2)
    assert ([task["id"] for task in first["items"]], first["next_offset"]) == (tasks[:2], 2)
    second = await call.structured("list_tasks", project_id=project, limit=2, offset=2)
    assert ([task["id"] for task in second["items"]], second["next_offset"]) == (tasks[2:], None)
    both = await call.structured("list_tasks", project_id=project, status="open", priority="high")
    assert ([task["id"] for task in both["items"]], both["total"]) == ([tasks[1]], 1)


async def test_update_task(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project, notes="keep")
    changed = await call.structured("update_task", task_id=task, title="New", labels=["x"])
    assert (changed["title"], changed["labels"], changed["notes"], changed["version"]) == ("New", ["x"], "keep", 2)
    assert await call.structured("update_task", task_id=task, title="New") == changed
    assert "version 2" in await call.refused("update_task", task_id=task, title="Newer", expected_version=7)
    assert await call.structured("get_task", task_id=task) == changed


async def test_complete_and_reopen(call: Caller) -> None:
    task = await a_task(call, await a_project(call))
    assert (await call.structured("complete_task", task_id=task))["status"] == "done"
    assert "already" in await call.refused("complete_task", task_id=task)
    assert (await call.structured("update_task", task_id=task, title="Late"))["title"] == "Late"
    assert (await call.structured("reopen_task", task_id=task))["status"] == "open"
    assert "already" in await call.refused("reopen_task", task_id=task)


async def test_delete_task(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project)
    comment = await a_comment(call, task)
    assert await call.text("delete_task", task_id=task) == f"Moved task {task} to the trash"
    assert "trash" in await call.refused("get_task", task_id=task)
    assert (await call.structured("list_tasks", project_id=project))["items"] == []
    assert "already" in await call.refused("delete_task", task_id=task)
    assert await call.text("restore", id=task) == f"Restored task {task}"
    assert comment in await call.text("get_comment", task_id=task, comment_id=comment)
    assert await call.text("delete_task", task_id=task, hard=True) == f"Deleted task {task} for good"
    assert "No task" in await call.refused("delete_task", task_id=task, hard=True)


async def test_search(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project, "Straße FEGEN", notes="50% off")
    for query in ("straße", "STRASSE", "fegen", "50% O", ""):
        found = json.loads(await call.text("search_tasks", query=query, project_id=project))
        assert ([item["id"] for item in found["items"]], found["total"]) == ([task], 1)
    assert task in await call.text("search_tasks", query="STRASSE FEGEN")
    assert json.loads(await call.text("search_tasks", query="nothing like it"))["total"] == 0
    await call.refused("search_tasks", query="x", project_id="prj_none")


async def test_comments(call: Caller) -> None:
    project = await a_project(call)
    task, other = await a_task(call, project), await a_task(call, project)
    comments = [await a_comment(call, task, f"body {number} ✓") for number in range(3)]
    first = json.loads(await call.text("list_comments", task_id=task, limit=2))
    assert ([item["id"] for item in first["items"]], first["total"], first["next_offset"]) == (comments[:2], 3, 2)
    last = json.loads(await call.text("list_comments", task_id=task, limit=2, offset=2))
    assert ([item["id"] for item in last["items"]], last["next_offset"]) == (comments[2:], None)
    read = json.loads(await call.text("get_comment", task_id=task, comment_id=comments[1]))
    assert (read["author"], read["body"]) == ("Ada", "body 1 ✓")
    await call.refused("get_comment", task_id=other, comment_id=comments[1])
    await call.refused("delete_comment", task_id=other, comment_id=comments[1])
    answer = await call.text("delete_comment", task_id=task, comment_id=comments[1])
    assert answer == f"Deleted comment {comments[1]} of task {task}"
    await call.refused("get_comment", task_id=task, comment_id=comments[1])
    assert json.loads(await call.text("list_comments", task_id=task))["total"] == 2


async def test_read_only_tools_change_nothing(call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project)
    comment = await a_comment(call, task)

    async def read_all() -> list[object]:
        return [
            await call.structured("get_project", project_id=project),
            await call.structured("list_projects", limit=100),
            await call.structured("project_stats"),
            await call.text("export_project", project_id=project, format="json"),
            await call.structured("get_task", task_id=task),
            await call.structured("list_tasks", project_id=project),
            await call.text("search_tasks", query="", project_id=project),
            await call.text("get_comment", task_id=task, comment_id=comment),
            await call.text("list_comments", task_id=task),
        ]

    assert await read_all() == await read_all()


async def test_resources_and_prompt(client: Client, call: Caller) -> None:
    project = await a_project(call)
    task = await a_task(call, project)
    listed = (await client.read_resource("crud://projects")).contents[0].text  # type: ignore[union-attr]
    assert project in {item["id"] for item in json.loads(listed)}
    page = (await client.read_resource(f"crud://projects/{project}")).contents[0].text  # type: ignore[union-attr]
    assert task in page
    prompt = await client.get_prompt("review_project", {"project_id": project})
    assert task in prompt.messages[0].content.text  # type: ignore[union-attr]
    for uri in ("crud://projects/prj_none", "crud://nothing"):
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
        assert raised.value.code == -32602
    with pytest.raises(MCPError) as raised:
        await client.get_prompt("review_project", {"project_id": "prj_none"})
    assert raised.value.code == -32602
