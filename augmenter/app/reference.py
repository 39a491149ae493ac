"""The reference of the command line, made from the parsers: ``python -m augmenter.app.reference``.

It prints docs/cli.md; a test holds the two together.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from augmenter.app.cli import prebrief
from augmenter.app.command_line import CommandLine
from augmenter.app.common import print_text
from augmenter.app.kb import KB

_INTRODUCTION = """\
# The command `prebrief`

<!-- Made from the parsers by `python -m augmenter.app.reference > docs/cli.md`. -->

For orchestrators, operators and the nightly job. Answers go to standard output, everything else to standard
error. Every command takes

| option | meaning |
|---|---|
| `--root DIR` | a folder of the project: any folder of a repository or of a worktree (default: the working directory) |
| `--log-level LEVEL` | what is logged on standard error: `debug`, `info`, `warning` (the default), `error`, `silent`; not for `hook run`, which is silent |

and ends with one of these exit codes:

| code | meaning |
|---|---|
| 0 | done; for `augment` and `hook run` also: a fault, which the answer names, let the task through unchanged |
| 1 | failed: standard error says what happened and what to do; also: `replay` found a difference, `receipts verify` or `doctor` a problem, `augment --strict` a fault |
| 2 | wrong usage |

`augment` and `hook run` are on the path of a dispatch. Whatever goes wrong there (no index, a damaged one,
invalid settings, a full disk, a deadline), the task comes out byte for byte as it came, the exit code is 0,
and `degraded` in the JSON has a `reason` and a `remedy`. Two things are errors even there: options that do
not exist (exit code 2), and a `--file` that cannot be read (exit code 1), for then there is no task to hand
on. A task that may begin with `-` is best given on standard input, or after `--`.
"""  # noqa: E501 - rows of a table
_ANSWERS = """\
## What the answers hold

With `--json` an answer is one JSON document with a `schema_version`. Paths are relative to the project's
root, with `/`; lines count from 1, both ends included.

- `augment` (and `hook run`): `dispatch_id` (empty when no receipt was kept), `prompt` (what to hand to the
  agent), `context` (the context block in it, alone), `offered` and `rules` (each item with `id`, `kind`,
  `name`, `path`, `start`, `end`, `pattern_hash`, `content_hash`, `rank`, `score`, `factors`, `channels`,
  `why`, `tokens`; rules also with `statement` and `evidence_count`), `below_threshold`, `abstained`,
  `coverage`, `tokens`, `degraded` (null, or `reason` and `remedy`), `index` (`fingerprint`, `stale`),
  `timings_ms`.
- `index`: `fingerprint`, `files`, `units`, `languages` (files by language), `kinds` (evidence by kind),
  `skipped` (files by reason), `events` (removals by kind), `changed`, `removed`, `unchanged`, `problems`,
  `seconds`; with `--skipped` also `skipped_files` (each with `path`, `reason`, `detail`).
- `explain`: `receipt`, `ladder` (how far each item came, by pattern hash).
- `replay`: `dispatch_id`, `possible`, `identical`, `differences`, `moved` (what has changed since),
  `prompt_compared` (false when the task held secrets, which are not kept: then offers alone are compared).
- `outcome`: `dispatch_id`, `status`, `recorded`, `replaced`, `looked` (whether use was looked for), `used`.
- `receipts list`: `receipts`. `receipts show`: `receipt`, `linked`. `receipts verify`: `ok`, `lines`,
  `receipts`, `segments`, `newer`, `torn`, `problems`.
- `hook install`, `hook uninstall`: `host`, `scope` (`project`, `local` or `user`), `file`, `changed`,
  `dry_run`, `diff` (unified), `notes` (what else there is to know or to do); `install` also `hooks` (each
  `event`, and the `group` that stands in the host's list). Of the generic host: `host` and the `command` to
  call.
- `hook test`: `host`, `ok`, `findings` (as those of `doctor`), `runs` (each `event` with `by`: `daemon` or
  `process`, `exit_code`, null when the host's time was up, `ms`, `bytes` and `tokens` of the context,
  `dispatch_id`).
- `doctor`: `ok` (no finding is a problem), `findings` (each with `check`, `level`: `ok`, `note`, `warning` or
  `problem`, `what`, `remedy`), `languages` (`files` and `evidence` of each), `kinds`, `skipped` as `index`.
- `gc`: `dry_run`, `bytes` (freed in all), `cleared` (each with `what`, `where`, `why`, `bytes`), `kept` (each
  with `where`, `why`).
- `learn`: `policy`, `ledger_head`, `dispatches`, `outcomes`, `items`, `lessons`, `raised`, `lowered`,
  `damaged`, `newer`, `seconds`.
- `tune`: `verdict` (`better`, `no-better-than-shipped`, `no-better-than-own`, `too-few-cases`), `adopted`,
  `head`, `cases` (`fitted_on`, `proved_on`), `notes` (why there are no more cases), `own_weights_error` (why
  the project's own weights count as none, or null), `penalty`, `against_shipped` and `against_own` (null, or
  the figures of the `fitted` weights and the `other` ones on the newer cases, and `p`), `weights` (each
  `shipped` and `fitted`, the largest change first); with `--reset`: `dry_run`, `reset`, `removed`.
"""
_KB = """\
# The command `kb`

For agents and engineers. It takes `--root` and `--log-level`, and ends with exit codes, as `prebrief` does;
its JSON is camelCase.
"""
_KB_ANSWERS = """\
## What the answers of `kb` hold

- `evaluate`: `schemaVersion`, `runId`, `date`, `seconds`, `cases` (`count`, `answerable`, `unanswerable`,
  and `malformed`: each line that was left out, with its `line` and `reason`), `configurations` (the first
  decides; each with `name`, `figures`: each with `value`, the `low` and `high` ends of its 95 % interval,
  and the number of `cases` that it is defined on, and `differences` from the first), `baseline` (`found`,
  `commonCases`, `note`, `differences`), `regression` (then the exit code is 1), `files` (paths of
  `results`, and of the reports `markdown` and `html`). A difference has `ours`, `theirs`, `change`,
  `pValue`, `decides`, and a `verdict`: `better`, `worse`, `no difference`, or null where none is tested.
  Shares are from 0 to 1, latencies in milliseconds.
"""
_EVERYWHERE = ("--root", "--log-level")  # told once


def reference() -> str:
    """The whole document."""
    ours = [*_commands(prebrief()), _ANSWERS]
    return "\n".join([_INTRODUCTION, *ours, _KB, *_commands(KB), _KB_ANSWERS])


def _commands(line: CommandLine) -> Iterator[str]:
    for name in line.commands:
        (choices,) = _subparsers(line.parser(name, line.module(name)))
        yield from _sections(choices[name])


def _sections(parser: argparse.ArgumentParser) -> Iterator[str]:
    nested = _subparsers(parser)
    if nested:
        for inner in nested[0].values():
            yield from _sections(inner)
        return
    arguments = sorted(filter(_is_told, parser._actions), key=_is_option)
    words = [parser.prog, *(_form(action) for action in arguments if _is_needed(action))]
    options = [] if all(map(_is_needed, arguments)) else ["[options]"]
    yield f"## `{' '.join([*words, *options])}`\n"
    yield f"{parser.description}\n"
    if arguments:
        yield "| argument | meaning |\n|---|---|"
        yield "\n".join(f"| `{_form(action)}` | {_meaning(action)} |" for action in arguments) + "\n"


def _is_told(action: argparse.Action) -> bool:
    return not isinstance(action, argparse._HelpAction) and not set(action.option_strings) & {*_EVERYWHERE}


def _is_option(action: argparse.Action) -> bool:
    return bool(action.option_strings)


def _is_needed(action: argparse.Action) -> bool:
    return action.required or not action.option_strings


def _form(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else action.metavar or ("" if action.choices else action.dest.upper())
    if not action.option_strings:
        form = str(value or action.dest.upper())
        return f"[{form}]" if action.nargs == "?" else form
    value = value or ("" if action.nargs == 0 else "CHOICE")
    many = " …" if action.nargs == "+" else ""
    return f"{', '.join(action.option_strings)} {value}{many}".strip()


def _meaning(action: argparse.Action) -> str:
    text = (action.help or "").replace("|", "\\|")
    if action.choices:
        text += f": {', '.join(f'`{choice}`' for choice in action.choices)}"
    if isinstance(action, argparse._AppendAction):
        text += "; may be given more than once"
    return f"{text} (required)" if action.option_strings and action.required else text


def _subparsers(parser: argparse.ArgumentParser) -> list[dict[str, argparse.ArgumentParser]]:
    return [a.choices for a in parser._actions if isinstance(a, argparse._SubParsersAction)]


if __name__ == "__main__":
    print_text(reference())
