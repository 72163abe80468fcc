"""Lines of ours in `MEMORY.md` that a person takes off the page, or pins there: a run of no job, which undo takes back.

A line is taken off as by a person who deletes it in an editor: `memory/forgotten.md` lists it, so that it does not
come back by itself, and the entry stays in its daily file. A pinned line has a word behind it, which makes it the
person's own text, as every edited line is: no plan takes it away.
"""

from collections.abc import Mapping
from dataclasses import replace

from pipeline.corrections.correction import carried_out, hold_jobs
from pipeline.corrections.undo_blocks import Receipt, take_back_page
from pipeline.engine.absence import put_ours
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, LOCK_SECONDS, retire
from pipeline.engine.recovery import intend_change
from pipeline.errors import NothingToUndo
from pipeline.errors.service import PageOutdated
from pipeline.ledger.changes import Change, ChangeKind
from pipeline.ledger.runs import RunRecord
from pipeline.markdown.blocks import Block, find_blocks, with_pin
from pipeline.markdown.splice import remove_block
from pipeline.workspace.forgotten import Tombstone, strike_out
from pipeline.workspace.locks import Waiting
from schemas.correction import LineEdit
from schemas.hot_page import PATH
from schemas.outcome import Outcome


def editable_lines(data: bytes) -> dict[str, Block]:
    """The lines of ours in a page that can be taken off or pinned, by name: none that a person has worded anew."""
    return {
        block.name: block
        for block in find_blocks(data)
        if block.item and block.text.startswith("- ") and (block.intact or block.is_pinned)
    }


def edit_line(engine: Engine, name: str, text: str, edit: LineEdit) -> Outcome:
    """Edit the line of this name, if it still has this text; the outcome of the run.

    Raises:
        PageOutdated: it has not.
        WorkspaceError: somebody is at work on the files; the system refuses.
    """
    job = engine.page_job
    with hold_jobs(engine, [job] if job else [], [edit.value]) as run_id:

        def work() -> Mapping[str, object]:
            data = engine.workspace.read(PATH) or b""
            line = editable_lines(data).get(name)
            if line is None or line.text != text:
                raise PageOutdated
            known = [standing for standing in engine.ledger.changes.expected_in(PATH) if standing.block.name == name]
            gone, identities = (known, {name: ""}) if edit is LineEdit.TAKE_OFF else ([], {})
            wanted = Change(run_id, PATH, ChangeKind.REPLACE, _edit_page(data, line, edit), identities, before=data)
            with intend_change(engine.workspace, engine.ledger, wanted, gone) as change:
                if not put_ours(engine.workspace, engine.ledger.changes, PATH, data, change.after):
                    engine.ledger.changes.drop(change.number)
                    engine.ledger.changes.restore(gone)
                    raise PageOutdated
                engine.ledger.changes.settle(change, ())
            if gone:
                retire(engine, [standing.block for standing in gone], engine.local_now().date(), by_path=True)
            return {"paths": (PATH,), "items": (name,)}

        return carried_out(engine, edit.value, run_id, work)


def undo_line_edit(engine: Engine, record: RunRecord) -> Receipt:
    """Take back an edit of a line: it stands on the page again, or is as it was before, unless a person changed it."""
    edit, job = LineEdit(record.job), engine.page_job
    with hold_jobs(engine, [job] if job else [], [edit.value]):
        now, changes = engine.ledger.runs.find(record.run_id), engine.ledger.changes.of_run(record.run_id)
        if not changes or (now and now.undone):
            raise NothingToUndo(record.run_id, "has been undone" if changes else "changed nothing")
        change = changes[0]
        if edit is LineEdit.TAKE_OFF:
            receipt = _put_line_back(engine, change)
            with engine.locks.hold([LOCK], record.run_id, engine.clock.now(), Waiting(LOCK_SECONDS)):
                strike_out(engine.workspace, {Tombstone(f"{PATH}#{name}", "") for name in receipt.restored})
        else:
            before, after = editable_lines(change.before or b""), editable_lines(change.after)
            names = [name for name, line in after.items() if name in before and before[name].text != line.text]
            if not names:
                raise NothingToUndo(record.run_id, "changed a line that has been forgotten")
            receipt = _reverse(engine, names[0], edit)
        engine.ledger.runs.mark_undone(record.run_id, engine.clock.now())
    return receipt


def _put_line_back(engine: Engine, change: Change) -> Receipt:
    """Put back the line that a change took off the page; a pinned one is put back as ours, and pinned again."""
    before = change.before or b""
    pinned = [line for name, line in editable_lines(before).items() if name in change.identities and line.is_pinned]
    for line in pinned:
        change = replace(change, before=_edit_page(before, line, LineEdit.UNPIN))
    receipt = take_back_page(engine, change)
    for name in (line.name for line in pinned if line.name in receipt.restored):
        _reverse(engine, name, LineEdit.UNPIN)
    return receipt


def _reverse(engine: Engine, name: str, edit: LineEdit) -> Receipt:
    """Pin a line that was unpinned, or the other way round, where it still stands like that."""
    data = engine.workspace.read(PATH) or b""
    line = editable_lines(data).get(name)
    if line is None or line.is_pinned is not (edit is LineEdit.PIN):
        return Receipt(left=(name,))
    after = _edit_page(data, line, LineEdit.UNPIN if edit is LineEdit.PIN else LineEdit.PIN)
    if not put_ours(engine.workspace, engine.ledger.changes, PATH, data, after):
        raise PageOutdated
    return Receipt(restored=(name,))


def _edit_page(data: bytes, line: Block, edit: LineEdit) -> bytes:
    """The page after an edit of a line; of a line that is taken off, without its copies."""
    if edit is LineEdit.TAKE_OFF:
        for block in reversed(find_blocks(data)):
            data = remove_block(data, block) if block.name == line.name else data
        return data
    line_after = with_pin(data[line.start : line.end], pinned=edit is LineEdit.PIN)
    return data[: line.start] + line_after + data[line.end :]
