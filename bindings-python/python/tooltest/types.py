"""Types of inputs, results and events. Written by scripts/generate_types.py from the Rust types; do not edit."""
from __future__ import annotations

from typing import Any, ClassVar, Literal, TypedDict, Union

from ._document import Document, Field

__all__ = [
    'ArgumentSource',
    'Assertion',
    'AssertionSubject',
    'BaselineEntry',
    'BaselineReport',
    'Binding',
    'BoundaryRole',
    'BudgetReport',
    'CallRole',
    'CancelledRole',
    'CaseReport',
    'CorpusGrewEvent',
    'CorpusLink',
    'CorpusReport',
    'ErrorSample',
    'Event',
    'Exit',
    'Expectation',
    'ExpectationEquals',
    'ExpectationExists',
    'ExpectationMatches',
    'ExpectationNotEquals',
    'Finding',
    'FindingFoundEvent',
    'FindingShrunkEvent',
    'HttpTarget',
    'InProcessTarget',
    'InvalidLabel',
    'Label',
    'Latency',
    'Level',
    'NotMeasured',
    'ObserveRole',
    'Options',
    'Outcome',
    'Phase',
    'PhaseFinishedEvent',
    'PhaseReport',
    'PhaseStartedEvent',
    'ProgressEvent',
    'RepeatRole',
    'ReplayReport',
    'ReplayStatus',
    'Reproduction',
    'ResultSource',
    'Revision',
    'Role',
    'RunFinishedEvent',
    'RunResult',
    'RunStartedEvent',
    'ServerReadyEvent',
    'ServerReport',
    'SessionRestartedEvent',
    'Source',
    'Sourcing',
    'StateMachineConfig',
    'StdioTarget',
    'StepReport',
    'SubjectRole',
    'Target',
    'TargetHttp',
    'TargetInProcess',
    'TargetSse',
    'TargetStdio',
    'TextJsonSource',
    'TextTokenSource',
    'Timing',
    'ToolCoverage',
    'UnknownLabel',
    'ValidLabel',
]


class TargetStdio(TypedDict):
    """A command that speaks MCP on its standard input and output."""
    stdio: StdioTarget


class TargetHttp(TypedDict):
    """A Streamable HTTP endpoint."""
    http: HttpTarget


class TargetSse(TypedDict):
    """An endpoint of the HTTP+SSE transport of 2024-11-05."""
    sse: HttpTarget


class TargetInProcess(TypedDict):
    """A server object in this process; the caller passes the connection beside the input."""
    in_process: InProcessTarget


Target = Union[TargetStdio, TargetHttp, TargetSse, TargetInProcess]
"""The server to test."""


class _StdioTarget(TypedDict):
    command: str
    """The program."""


class StdioTarget(_StdioTarget, total=False):
    """A command that speaks MCP on its standard input and output."""
    args: list[str]
    """Its arguments."""
    env: dict[str, str]
    """Environment variables set besides the inherited ones."""
    cwd: str | None
    """The working directory."""


class _HttpTarget(TypedDict):
    url: str
    """The URL, `http` or `https`."""


class HttpTarget(_HttpTarget, total=False):
    """An HTTP endpoint."""
    headers: dict[str, str]
    """Headers sent with every request."""
    auth_token: str | None
    """Sent as `Authorization: Bearer …`."""


class InProcessTarget(TypedDict, total=False):
    """A server object in this process."""
    name: str
    """How reports call it."""


Phase = Literal['replay', 'lists', 'examples', 'boundary', 'stateful', 'negative', 'protocol', 'parallel']
"""The parts of a run, in the order in which they come."""


class StateMachineConfig(TypedDict, total=False):
    """How arguments are found and what is recorded about them."""
    seed_strings: list[str]
    """Strings offered to string parameters."""
    seed_numbers: list[float]
    """Numbers offered to number parameters."""
    seed_values: dict[str, list[Any]]
    """Values offered to one parameter: keys are `tool.parameter` or `parameter`."""
    mine_text: bool
    """Take values from the text of answers, too."""
    lenient_sourcing: Sourcing
    """Where values of required parameters may come from."""
    coverage_allowlist: list[str]
    """Tools that coverage lints look at: names or globs; empty means all."""
    coverage_blocklist: list[str]
    """Tools that coverage lints leave out: names or globs."""
    dump_corpus: bool
    """Put the corpus into the result."""
    log_corpus_deltas: bool
    """Emit an event for each value that enters the corpus."""


Sourcing = Literal['auto', 'strict', 'lenient']
"""Where values of required parameters may come from."""


class _Assertion(TypedDict):
    on: AssertionSubject
    """The document that the pointer points into."""
    pointer: str
    """JSON Pointer, for example `/items/0/id`."""
    expect: Expectation
    """The comparison, for example `{"equals": 3}`."""


class Assertion(_Assertion, total=False):
    """A check of the user's own: a comparison of the value at a JSON Pointer."""
    name: str | None
    """What the finding is called; absent means the comparison in words."""
    tools: list[str]
    """Tools it is for: names or globs; empty means all."""


AssertionSubject = Literal['input', 'output', 'structured_output', 'sequence']
"""What an assertion's pointer points into."""


class ExpectationExists(TypedDict):
    """The value is there (`true`) or not (`false`)."""
    exists: bool


class ExpectationEquals(TypedDict):
    """The value equals this one; numbers are compared by value."""
    equals: Any


class ExpectationNotEquals(TypedDict):
    """The value does not equal this one."""
    not_equals: Any


class ExpectationMatches(TypedDict):
    """The value is valid against this JSON Schema."""
    matches: Any


Expectation = Union[ExpectationExists, ExpectationEquals, ExpectationNotEquals, ExpectationMatches]
"""The comparison of an assertion."""


class Options(TypedDict, total=False):
    """Every option of a run; each has a default."""
    protocol_version: str
    """`auto` (find out which era the server speaks) or a revision's date, for example `2025-11-25`."""
    phases: list[Phase]
    """Which phases to run; empty means all that the target's safety allows."""
    cases: int | None
    """How many stateful sequences to run at most; absent means as many as the budget allows."""
    min_sequence_len: int
    """The shortest stateful sequence, in calls."""
    max_sequence_len: int
    """The longest stateful sequence, in calls."""
    max_calls: int
    """Budget: calls, over all phases but shrinking."""
    time_limit: float
    """Budget: seconds for the whole run."""
    request_timeout: float
    """Seconds without an answer or progress after which a request counts as hanging."""
    startup_timeout: float
    """Seconds that the server may take to start and answer its first request."""
    seed: int | None
    """The seed of everything random; drawn and reported when absent."""
    workers: int
    """Sessions run side by side (stdio: processes); 1 is fully deterministic."""
    in_flight: int
    """Calls under way at once while a server that shows no state is screened; stdio only."""
    state_machine_config: StateMachineConfig
    """How arguments are found and what is recorded about them."""
    tool_allowlist: list[str]
    """Tools that may be called: names or globs; empty means all."""
    tool_blocklist: list[str]
    """Tools that may not be called: names or globs."""
    read_only: bool | None
    """Call only tools annotated `readOnlyHint: true`; absent means yes for HTTP targets that are not loopback."""
    allow_destructive: bool
    """Call tools that may destroy something on a target where that is not the default."""
    in_band_error_forbidden: bool
    """Answers with `isError: true` count as findings."""
    isolate: bool
    """Give each server process a private home, configuration and temporary folder."""
    fixture_dir: str | None
    """A folder that is copied into each private home (with `isolate`)."""
    pre_run_hook: list[str]
    """A command (argv) run before each fresh session, to reset outside state."""
    assertions: list[Assertion]
    """The user's own checks."""
    config: str | None
    """An explicit `tooltest.toml`."""
    failure_dir: str
    """Where failing cases are saved and replayed from; empty switches both off."""
    fail_fast: bool
    """Stop at the first finding at level error."""
    keep_going: bool
    """Go on to call tools even when a list-phase lint found an error."""
    full_trace: bool
    """Carry every request and response of each finding's case, not only the last ones."""
    show_uncallable: bool
    """Tell for each tool without a real success what was tried."""
    uncallable_limit: int
    """How many failed attempts to show for such a tool."""
    trace_all: bool
    """Carry the trace of every call of the run in the result (memory grows with the run)."""
    shard: str | None
    """Which part of the run to do, as `I/N`: the findings of all N parts together are those of the whole."""


Outcome = Literal['passed', 'failed', 'inconclusive', 'interrupted']
"""The verdict of a run."""


class ServerReport(Document):
    """The server as it presented itself."""
    name: str
    """`serverInfo.name`."""
    version: str
    """`serverInfo.version`."""
    revision: Revision | None
    """The revision in use."""
    transport: str
    """`stdio`, `http`, `sse` or `in-process`."""
    target: str
    """The command or URL, secrets redacted."""
    capabilities: Any
    """The declared capabilities."""
    stderr: str
    """The last lines of standard error."""
    _fields: ClassVar[dict[str, Field]] = {
        'name': Field('name', '', 'one', None),
        'version': Field('version', '', 'one', None),
        'revision': Field('revision', 'Revision', 'one', None),
        'transport': Field('transport', '', 'one', None),
        'target': Field('target', '', 'one', None),
        'capabilities': Field('capabilities', '', 'one', None),
        'stderr': Field('stderr', '', 'one', ''),
    }


Revision = Literal['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
"""A published revision of the Model Context Protocol."""


class Finding(Document):
    """One distinct fault."""
    lint: str
    """The lint's id."""
    level: Level
    """How much it weighs."""
    code: str
    """The broken rule, for machines: equal for equal faults."""
    fingerprint: str
    """16 hexadecimal digits that tell findings apart: lint, tool and rule."""
    phase: Phase
    """The phase of the run that found it."""
    tool: str | None
    """The tool at fault, if one is."""
    message: str
    """What is wrong."""
    why: str
    """Why it matters."""
    fix: str
    """What to do."""
    spec: str
    """The rule's source: a URL, or empty for a rule of tooltest's own."""
    evidence: str | None
    """A piece of evidence: raw bytes, a header, the last line of standard error."""
    case: CaseReport | None
    """The smallest case, where calls show the fault."""
    seen: int
    """How often it came up during the run."""
    also: list[str]
    """Other tools with the same fault."""
    reproduction: Reproduction | None
    """How often it came again on fresh sessions, where that was tried."""
    exit: Exit | None
    """How the server ended, where it did."""
    failure_file: str | None
    """The saved failure file, if one was written."""
    replay: str | None
    """The command that runs the case again."""
    _fields: ClassVar[dict[str, Field]] = {
        'lint': Field('lint', '', 'one', None),
        'level': Field('level', 'Level', 'one', None),
        'code': Field('code', '', 'one', None),
        'fingerprint': Field('fingerprint', '', 'one', None),
        'phase': Field('phase', 'Phase', 'one', None),
        'tool': Field('tool', '', 'one', None),
        'message': Field('message', '', 'one', None),
        'why': Field('why', '', 'one', None),
        'fix': Field('fix', '', 'one', None),
        'spec': Field('spec', '', 'one', ''),
        'evidence': Field('evidence', '', 'one', None),
        'case': Field('case', 'CaseReport', 'one', None),
        'seen': Field('seen', '', 'one', None),
        'also': Field('also', '', 'list', 'list'),
        'reproduction': Field('reproduction', 'Reproduction', 'one', None),
        'exit': Field('exit', 'Exit', 'one', None),
        'failure_file': Field('failure_file', '', 'one', None),
        'replay': Field('replay', '', 'one', None),
    }


Level = Literal['disabled', 'warning', 'error']
"""How much a finding weighs."""


class CaseReport(Document):
    """A case with what was sent and received, for people."""
    steps: list[StepReport]
    """The steps."""
    failing_step: int
    """Index of the step at fault."""
    minimal: bool
    """Whether no step can be left out and no argument made simpler by the shrinker's means."""
    executions: int
    """Executions that shrinking took."""
    original_steps: int
    """Steps before shrinking."""
    _fields: ClassVar[dict[str, Field]] = {
        'steps': Field('steps', 'StepReport', 'list', None),
        'failing_step': Field('failing_step', '', 'one', None),
        'minimal': Field('minimal', '', 'one', None),
        'executions': Field('executions', '', 'one', None),
        'original_steps': Field('original_steps', '', 'one', None),
    }


class StepReport(Document):
    """One step of a case, as it ran."""
    method: str
    """The JSON-RPC method."""
    name: str
    """The tool, prompt or URI."""
    arguments: Any
    """The arguments as sent (secrets redacted)."""
    request: Any
    """The whole request, with `full_trace`."""
    response: Any
    """The answer: the whole JSON-RPC message, or what is known instead (secrets redacted, long ones cut)."""
    outcome: str
    """In a few words how it went: `ok`, `tool error`, `error -32603`, `no answer`, `crash` …"""
    bindings: list[Binding]
    """Which values were taken from earlier answers."""
    label: Label
    """What the schema says of the arguments."""
    role: Role
    """Why the step is there."""
    group: int | None
    """Steps with the same number were sent together."""
    elapsed_ms: float
    """Milliseconds until the answer."""
    _fields: ClassVar[dict[str, Field]] = {
        'method': Field('method', '', 'one', None),
        'name': Field('name', '', 'one', ''),
        'arguments': Field('arguments', '', 'one', None),
        'request': Field('request', '', 'one', None),
        'response': Field('response', '', 'one', None),
        'outcome': Field('outcome', '', 'one', None),
        'bindings': Field('bindings', 'Binding', 'list', 'list'),
        'label': Field('label', 'Label', 'one', None),
        'role': Field('role', 'Role', 'one', None),
        'group': Field('group', '', 'one', None),
        'elapsed_ms': Field('elapsed_ms', '', 'one', None),
    }


class Binding(Document):
    """"The value at `at` is the one found at `from` in the answer to step `step`"."""
    at: str
    """JSON Pointer into the step's arguments (for `read_resource`: empty, the URI itself)."""
    step: int
    """Index of the earlier step."""
    from_: Source
    """Where in that step's answer the value is."""
    _fields: ClassVar[dict[str, Field]] = {
        'at': Field('at', '', 'one', None),
        'step': Field('step', '', 'one', None),
        'from_': Field('from', 'Source', 'one', None),
    }


class ResultSource(Document):
    """A JSON Pointer into the result object."""
    source: Literal['result']
    pointer: str
    """JSON Pointer, for example `/structuredContent/id`."""
    _fields: ClassVar[dict[str, Field]] = {
        'source': Field('source', '', 'one', None),
        'pointer': Field('pointer', '', 'one', None),
    }


class TextJsonSource(Document):
    """A JSON Pointer into the JSON text of a content block."""
    source: Literal['text_json']
    block: int
    """Index of the content block."""
    pointer: str
    """JSON Pointer into the parsed text."""
    _fields: ClassVar[dict[str, Field]] = {
        'source': Field('source', '', 'one', None),
        'block': Field('block', '', 'one', None),
        'pointer': Field('pointer', '', 'one', None),
    }


class TextTokenSource(Document):
    """A token of a content block's text."""
    source: Literal['text_token']
    block: int
    """Index of the content block."""
    token: str
    """Which kind of token, as the text miner names it (`uuid`, `hex`, `number`, `uri`, `path`, `word_number`, `quoted`,
    `labelled:NAME`)."""
    index: int
    """Which one of that kind, from 0."""
    _fields: ClassVar[dict[str, Field]] = {
        'source': Field('source', '', 'one', None),
        'block': Field('block', '', 'one', None),
        'token': Field('token', '', 'one', None),
        'index': Field('index', '', 'one', None),
    }


class ArgumentSource(Document):
    """A JSON Pointer into the arguments that the earlier step sent."""
    source: Literal['argument']
    pointer: str
    """JSON Pointer, for example `/name`."""
    _fields: ClassVar[dict[str, Field]] = {
        'source': Field('source', '', 'one', None),
        'pointer': Field('pointer', '', 'one', None),
    }


Source = Union[ResultSource, TextJsonSource, TextTokenSource, ArgumentSource]
"""Where a mined value is in an answer (or in the request that got it)."""


class UnknownLabel(Document):
    """The schema could not be compiled, or the step is not a tool call."""
    label: Literal['unknown']
    _fields: ClassVar[dict[str, Field]] = {
        'label': Field('label', '', 'one', None),
    }


class ValidLabel(Document):
    """Valid."""
    label: Literal['valid']
    _fields: ClassVar[dict[str, Field]] = {
        'label': Field('label', '', 'one', None),
    }


class InvalidLabel(Document):
    """Invalid in one named way."""
    label: Literal['invalid']
    pointer: str
    """JSON Pointer of the faulty value in the arguments."""
    keyword: str
    """The schema keyword that it breaks."""
    mutation: str
    """The mutation, in words."""
    _fields: ClassVar[dict[str, Field]] = {
        'label': Field('label', '', 'one', None),
        'pointer': Field('pointer', '', 'one', None),
        'keyword': Field('keyword', '', 'one', None),
        'mutation': Field('mutation', '', 'one', None),
    }


Label = Union[UnknownLabel, ValidLabel, InvalidLabel]
"""What the schema says about a step's arguments, checked before they are sent."""


class CallRole(Document):
    """An ordinary call."""
    role: Literal['call']
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
    }


class BoundaryRole(Document):
    """A value at a named edge."""
    role: Literal['boundary']
    edge: str
    """The edge, for example `minimum` or `longest string`."""
    pointer: str
    """JSON Pointer of the value."""
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
        'edge': Field('edge', '', 'one', None),
        'pointer': Field('pointer', '', 'one', None),
    }


class SubjectRole(Document):
    """The call under judgement of a metamorphic check."""
    role: Literal['subject']
    check: str
    """The check, by lint id."""
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
        'check': Field('check', '', 'one', None),
    }


class ObserveRole(Document):
    """A read of the state, to be compared with the other steps of the same name and equal `view`."""
    role: Literal['observe']
    check: str
    """The check, by lint id."""
    view: int
    """Which observation: equal views send equal requests."""
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
        'check': Field('check', '', 'one', None),
        'view': Field('view', '', 'one', None),
    }


class CancelledRole(Document):
    """A call that is cancelled before its answer is waited for."""
    role: Literal['cancelled']
    after_ms: int
    """After how many milliseconds, if it is not answered by then."""
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
        'after_ms': Field('after_ms', '', 'one', None),
    }


class RepeatRole(Document):
    """A repetition of an earlier step's request."""
    role: Literal['repeat']
    check: str
    """The check, by lint id."""
    of: int
    """Index of the step that is repeated."""
    _fields: ClassVar[dict[str, Field]] = {
        'role': Field('role', '', 'one', None),
        'check': Field('check', '', 'one', None),
        'of': Field('of', '', 'one', None),
    }


Role = Union[CallRole, BoundaryRole, SubjectRole, ObserveRole, CancelledRole, RepeatRole]
"""Why a step is in a case."""


class Reproduction(Document):
    """How often a finding came again on fresh sessions."""
    attempts: int
    """Attempts on a fresh session."""
    reproduced: int
    """Attempts that showed the same finding."""
    _fields: ClassVar[dict[str, Field]] = {
        'attempts': Field('attempts', '', 'one', None),
        'reproduced': Field('reproduced', '', 'one', None),
    }


class Exit(Document):
    """How a server ended."""
    code: int | None
    """The exit code, if the process ended by itself."""
    signal: int | None
    """The signal's number, if one ended it."""
    detail: str
    """What is known otherwise, for example "connection reset"."""
    stderr: str
    """The end of standard error, at most 64 KiB."""
    _fields: ClassVar[dict[str, Field]] = {
        'code': Field('code', '', 'one', None),
        'signal': Field('signal', '', 'one', None),
        'detail': Field('detail', '', 'one', ''),
        'stderr': Field('stderr', '', 'one', ''),
    }


class ToolCoverage(Document):
    """How a tool fared."""
    tool: str
    """The tool."""
    calls: int
    """Calls in all."""
    ok: int
    """Real successes: an answer that is neither an error nor error text."""
    tool_errors: int
    """Answers with `isError: true`."""
    soft_errors: int
    """Error text without `isError: true`."""
    protocol_errors: int
    """JSON-RPC errors."""
    broken: int
    """No answer, crash or malformed answer."""
    valid: int
    """Calls by what the schema says of the arguments: valid ones."""
    invalid: int
    """Deliberately invalid ones."""
    outcome_classes: int
    """Distinct kinds of answers seen."""
    reason: str | None
    """Why it was not called, or never succeeded."""
    errors: list[ErrorSample]
    """The most frequent errors of a tool that never succeeded, with how often each came."""
    latency: Latency
    """Latency in milliseconds."""
    _fields: ClassVar[dict[str, Field]] = {
        'tool': Field('tool', '', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'ok': Field('ok', '', 'one', None),
        'tool_errors': Field('tool_errors', '', 'one', None),
        'soft_errors': Field('soft_errors', '', 'one', None),
        'protocol_errors': Field('protocol_errors', '', 'one', None),
        'broken': Field('broken', '', 'one', None),
        'valid': Field('valid', '', 'one', None),
        'invalid': Field('invalid', '', 'one', None),
        'outcome_classes': Field('outcome_classes', '', 'one', None),
        'reason': Field('reason', '', 'one', None),
        'errors': Field('errors', 'ErrorSample', 'list', 'list'),
        'latency': Field('latency', 'Latency', 'one', None),
    }


class ErrorSample(Document):
    """A frequent error of a tool."""
    text: str
    """The error's text, cut."""
    count: int
    """How often it came."""
    arguments: Any
    """The arguments of one such call."""
    _fields: ClassVar[dict[str, Field]] = {
        'text': Field('text', '', 'one', None),
        'count': Field('count', '', 'one', None),
        'arguments': Field('arguments', '', 'one', None),
    }


class Latency(Document):
    """Quantiles of the time to an answer, in milliseconds."""
    p50: float
    """Median."""
    p95: float
    """95th percentile."""
    p99: float
    """99th percentile."""
    max: float
    """Longest."""
    histogram: list[int]
    """Counts in buckets whose upper bounds are 2^k × 0.125 ms, k = 0, 1, …"""
    _fields: ClassVar[dict[str, Field]] = {
        'p50': Field('p50', '', 'one', None),
        'p95': Field('p95', '', 'one', None),
        'p99': Field('p99', '', 'one', None),
        'max': Field('max', '', 'one', None),
        'histogram': Field('histogram', '', 'list', 'list'),
    }


class NotMeasured(Document):
    """Something that was not judged."""
    subject: str
    """A tool, a phase or a check."""
    reason: str
    """Why."""
    hint: str | None
    """What would change that: a flag, a seed, an annotation."""
    _fields: ClassVar[dict[str, Field]] = {
        'subject': Field('subject', '', 'one', None),
        'reason': Field('reason', '', 'one', None),
        'hint': Field('hint', '', 'one', None),
    }


class PhaseReport(Document):
    """A phase as it ran."""
    phase: Phase
    """The phase."""
    cases: int
    """Cases run."""
    calls: int
    """Calls made."""
    skipped: str | None
    """Why it did not run, if it did not."""
    _fields: ClassVar[dict[str, Field]] = {
        'phase': Field('phase', 'Phase', 'one', None),
        'cases': Field('cases', '', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'skipped': Field('skipped', '', 'one', None),
    }


class CorpusReport(Document):
    """What the run learned to use as arguments."""
    values: int
    """Values that entered the corpus."""
    links: list[CorpusLink]
    """Learned links from a tool's answers to a tool's parameter, strongest first."""
    dump: dict[str, list[Any]] | None
    """The corpus itself, with `dump_corpus`: values by key."""
    _fields: ClassVar[dict[str, Field]] = {
        'values': Field('values', '', 'one', None),
        'links': Field('links', 'CorpusLink', 'list', 'list'),
        'dump': Field('dump', '', 'map', 'map'),
    }


class CorpusLink(Document):
    """A learned link from answers to a parameter."""
    from_: str
    """`tool` and where in its answers."""
    to: str
    """`tool.parameter`."""
    uses: int
    """Uses."""
    ok: int
    """Uses in calls that succeeded."""
    _fields: ClassVar[dict[str, Field]] = {
        'from_': Field('from', '', 'one', None),
        'to': Field('to', '', 'one', None),
        'uses': Field('uses', '', 'one', None),
        'ok': Field('ok', '', 'one', None),
    }


class Timing(Document):
    """Times of a run."""
    seconds: float
    """Seconds in all."""
    startup_seconds: float
    """Seconds until the first answer of the server."""
    calls_per_second: float
    """Calls per second over the phases."""
    shrink_seconds: float
    """Seconds spent on confirming and shrinking."""
    _fields: ClassVar[dict[str, Field]] = {
        'seconds': Field('seconds', '', 'one', None),
        'startup_seconds': Field('startup_seconds', '', 'one', None),
        'calls_per_second': Field('calls_per_second', '', 'one', None),
        'shrink_seconds': Field('shrink_seconds', '', 'one', None),
    }


class BudgetReport(Document):
    """What was spent of the budget."""
    calls: int
    """Calls made over the phases."""
    shrink_calls: int
    """Calls made to confirm and shrink."""
    sessions: int
    """Sessions opened."""
    ended_by: str
    """What ended the run: `complete`, `calls`, `time`, `fail_fast`, `interrupted`, `lists`."""
    _fields: ClassVar[dict[str, Field]] = {
        'calls': Field('calls', '', 'one', None),
        'shrink_calls': Field('shrink_calls', '', 'one', None),
        'sessions': Field('sessions', '', 'one', None),
        'ended_by': Field('ended_by', '', 'one', None),
    }


class ReplayReport(Document):
    """A saved failure that was run again."""
    file: str
    """The failure file."""
    lint: str
    """The lint."""
    tool: str | None
    """The tool, if one was at fault."""
    status: ReplayStatus
    """Whether it is still there."""
    reproduction: Reproduction
    """Attempts and how many of them showed it."""
    message: str
    """What was seen, in a sentence."""
    _fields: ClassVar[dict[str, Field]] = {
        'file': Field('file', '', 'one', None),
        'lint': Field('lint', '', 'one', None),
        'tool': Field('tool', '', 'one', None),
        'status': Field('status', 'ReplayStatus', 'one', None),
        'reproduction': Field('reproduction', 'Reproduction', 'one', None),
        'message': Field('message', '', 'one', None),
    }


ReplayStatus = Literal['failing', 'flaky', 'fixed', 'error']
"""Whether a saved failure is still there."""


class BaselineReport(Document):
    """What a baseline made of the findings of a run."""
    accepted: list[Finding]
    """Findings that the baseline knows; they stand neither among the findings nor among the warnings."""
    stale: list[BaselineEntry]
    """Entries of the baseline that the run did not come upon."""
    _fields: ClassVar[dict[str, Field]] = {
        'accepted': Field('accepted', 'Finding', 'list', None),
        'stale': Field('stale', 'BaselineEntry', 'list', None),
    }


class BaselineEntry(Document):
    """An accepted finding."""
    fingerprint: str
    """The finding's fingerprint; the rest is for people."""
    lint: str
    """The lint."""
    tool: str | None
    """The tool at fault, if one is."""
    message: str
    """What was wrong when it was accepted."""
    reason: str | None
    """Why it is accepted; kept when the file is updated."""
    _fields: ClassVar[dict[str, Field]] = {
        'fingerprint': Field('fingerprint', '', 'one', None),
        'lint': Field('lint', '', 'one', None),
        'tool': Field('tool', '', 'one', None),
        'message': Field('message', '', 'one', None),
        'reason': Field('reason', '', 'one', None),
    }


class RunResult(Document):
    """What a run found out."""
    schema_version: int
    """[`RESULT_SCHEMA_VERSION`]."""
    tooltest_version: str
    """The version of tooltest."""
    outcome: Outcome
    """The verdict."""
    reason: str | None
    """Why the verdict is not `passed`, in a sentence."""
    server: ServerReport
    """The server."""
    findings: list[Finding]
    """Findings at level error, most telling first."""
    warnings: list[Finding]
    """Findings at level warning."""
    coverage: list[ToolCoverage]
    """How each tool fared."""
    not_measured: list[NotMeasured]
    """What was not judged, and why."""
    phases: list[PhaseReport]
    """The phases as they ran."""
    corpus: CorpusReport
    """What the run learned to use as arguments."""
    timing: Timing
    """Times."""
    seed: int
    """The seed that repeats the run."""
    budget: BudgetReport
    """What was spent of the budget."""
    replayed: list[ReplayReport]
    """Saved failures that were run again."""
    baseline: BaselineReport | None
    """What a baseline made of the findings, where one was used."""
    offered: Any
    """What the server offers, as listed: `tools`, `resources`, `resourceTemplates`, `prompts`."""
    input: Any
    """The input with its secrets redacted."""
    config_source: str
    """Where the lint configuration came from: `built-in` or a path."""
    trace: list[Any] | None
    """Every call of the run, with `trace_all`."""
    _fields: ClassVar[dict[str, Field]] = {
        'schema_version': Field('schema_version', '', 'one', None),
        'tooltest_version': Field('tooltest_version', '', 'one', None),
        'outcome': Field('outcome', 'Outcome', 'one', None),
        'reason': Field('reason', '', 'one', None),
        'server': Field('server', 'ServerReport', 'one', None),
        'findings': Field('findings', 'Finding', 'list', None),
        'warnings': Field('warnings', 'Finding', 'list', None),
        'coverage': Field('coverage', 'ToolCoverage', 'list', None),
        'not_measured': Field('not_measured', 'NotMeasured', 'list', None),
        'phases': Field('phases', 'PhaseReport', 'list', None),
        'corpus': Field('corpus', 'CorpusReport', 'one', None),
        'timing': Field('timing', 'Timing', 'one', None),
        'seed': Field('seed', '', 'one', None),
        'budget': Field('budget', 'BudgetReport', 'one', None),
        'replayed': Field('replayed', 'ReplayReport', 'list', 'list'),
        'baseline': Field('baseline', 'BaselineReport', 'one', None),
        'offered': Field('offered', '', 'one', None),
        'input': Field('input', '', 'one', None),
        'config_source': Field('config_source', '', 'one', None),
        'trace': Field('trace', '', 'list', 'list'),
    }


class RunStartedEvent(Document):
    """The run has its plan."""
    event: Literal['run_started']
    target: str
    """The command or URL, secrets redacted."""
    seed: int
    """The seed that repeats the run."""
    max_calls: int
    """Budget: calls."""
    time_limit: float
    """Budget: seconds."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'target': Field('target', '', 'one', None),
        'seed': Field('seed', '', 'one', None),
        'max_calls': Field('max_calls', '', 'one', None),
        'time_limit': Field('time_limit', '', 'one', None),
    }


class ServerReadyEvent(Document):
    """The first session is open."""
    event: Literal['server_ready']
    name: str
    """The server's name."""
    version: str
    """The server's version."""
    revision: str
    """The revision's date."""
    tools: int
    """Tools, resources, templates and prompts listed."""
    resources: int
    """Resources listed."""
    prompts: int
    """Prompts listed."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'name': Field('name', '', 'one', None),
        'version': Field('version', '', 'one', None),
        'revision': Field('revision', '', 'one', None),
        'tools': Field('tools', '', 'one', None),
        'resources': Field('resources', '', 'one', None),
        'prompts': Field('prompts', '', 'one', None),
    }


class PhaseStartedEvent(Document):
    """A phase begins."""
    event: Literal['phase_started']
    phase: Phase
    """The phase."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'phase': Field('phase', 'Phase', 'one', None),
    }


class PhaseFinishedEvent(Document):
    """A phase is over."""
    event: Literal['phase_finished']
    phase: Phase
    """The phase."""
    calls: int
    """Calls made in it."""
    skipped: str | None
    """Why it did not run, if it did not."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'phase': Field('phase', 'Phase', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'skipped': Field('skipped', '', 'one', None),
    }


class ProgressEvent(Document):
    """Calls were made since the last such event; sent a few times a second."""
    event: Literal['progress']
    phase: Phase
    """The phase."""
    calls: int
    """Calls so far."""
    seconds: float
    """Seconds so far."""
    findings: int
    """Distinct findings so far."""
    doing: str
    """What is being done, for example `shrinking get_task (5 steps left)`."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'phase': Field('phase', 'Phase', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'seconds': Field('seconds', '', 'one', None),
        'findings': Field('findings', '', 'one', None),
        'doing': Field('doing', '', 'one', None),
    }


class CorpusGrewEvent(Document):
    """A value entered the corpus (with `log_corpus_deltas`)."""
    event: Literal['corpus_grew']
    tool: str
    """The tool whose answer held it."""
    key: str
    """Its key."""
    value: Any
    """The value."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'tool': Field('tool', '', 'one', None),
        'key': Field('key', '', 'one', None),
        'value': Field('value', '', 'one', None),
    }


class FindingFoundEvent(Document):
    """A finding came up for the first time; its case may still shrink."""
    event: Literal['finding_found']
    finding: Finding
    """The finding so far."""
    calls: int
    """Calls made until then."""
    seconds: float
    """Seconds until then."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'finding': Field('finding', 'Finding', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'seconds': Field('seconds', '', 'one', None),
    }


class FindingShrunkEvent(Document):
    """A finding has its final form."""
    event: Literal['finding_shrunk']
    finding: Finding
    """The finding."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'finding': Field('finding', 'Finding', 'one', None),
    }


class SessionRestartedEvent(Document):
    """The server ended or was ended, and a new one is started."""
    event: Literal['session_restarted']
    reason: str
    """Why."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'reason': Field('reason', '', 'one', None),
    }


class RunFinishedEvent(Document):
    """The run is over."""
    event: Literal['run_finished']
    outcome: Outcome
    """The verdict."""
    findings: int
    """Findings at level error."""
    warnings: int
    """Findings at level warning."""
    calls: int
    """Calls made."""
    seconds: float
    """Seconds taken."""
    _fields: ClassVar[dict[str, Field]] = {
        'event': Field('event', '', 'one', None),
        'outcome': Field('outcome', 'Outcome', 'one', None),
        'findings': Field('findings', '', 'one', None),
        'warnings': Field('warnings', '', 'one', None),
        'calls': Field('calls', '', 'one', None),
        'seconds': Field('seconds', '', 'one', None),
    }


Event = Union[RunStartedEvent, ServerReadyEvent, PhaseStartedEvent, PhaseFinishedEvent, ProgressEvent, CorpusGrewEvent, FindingFoundEvent, FindingShrunkEvent, SessionRestartedEvent, RunFinishedEvent]
"""Something that happened in a run. The last event of every run is [`Event::RunFinished`]."""


Document._classes.update({
    'ServerReport': ServerReport,
    'Finding': Finding,
    'CaseReport': CaseReport,
    'StepReport': StepReport,
    'Binding': Binding,
    'ResultSource': ResultSource,
    'TextJsonSource': TextJsonSource,
    'TextTokenSource': TextTokenSource,
    'ArgumentSource': ArgumentSource,
    'UnknownLabel': UnknownLabel,
    'ValidLabel': ValidLabel,
    'InvalidLabel': InvalidLabel,
    'CallRole': CallRole,
    'BoundaryRole': BoundaryRole,
    'SubjectRole': SubjectRole,
    'ObserveRole': ObserveRole,
    'CancelledRole': CancelledRole,
    'RepeatRole': RepeatRole,
    'Reproduction': Reproduction,
    'Exit': Exit,
    'ToolCoverage': ToolCoverage,
    'ErrorSample': ErrorSample,
    'Latency': Latency,
    'NotMeasured': NotMeasured,
    'PhaseReport': PhaseReport,
    'CorpusReport': CorpusReport,
    'CorpusLink': CorpusLink,
    'Timing': Timing,
    'BudgetReport': BudgetReport,
    'ReplayReport': ReplayReport,
    'BaselineReport': BaselineReport,
    'BaselineEntry': BaselineEntry,
    'RunResult': RunResult,
    'RunStartedEvent': RunStartedEvent,
    'ServerReadyEvent': ServerReadyEvent,
    'PhaseStartedEvent': PhaseStartedEvent,
    'PhaseFinishedEvent': PhaseFinishedEvent,
    'ProgressEvent': ProgressEvent,
    'CorpusGrewEvent': CorpusGrewEvent,
    'FindingFoundEvent': FindingFoundEvent,
    'FindingShrunkEvent': FindingShrunkEvent,
    'SessionRestartedEvent': SessionRestartedEvent,
    'RunFinishedEvent': RunFinishedEvent,
    'Source': lambda raw: {'result': ResultSource, 'text_json': TextJsonSource, 'text_token': TextTokenSource, 'argument': ArgumentSource}.get(raw['source'], Document)(raw),
    'Label': lambda raw: {'unknown': UnknownLabel, 'valid': ValidLabel, 'invalid': InvalidLabel}.get(raw['label'], Document)(raw),
    'Role': lambda raw: {'call': CallRole, 'boundary': BoundaryRole, 'subject': SubjectRole, 'observe': ObserveRole, 'cancelled': CancelledRole, 'repeat': RepeatRole}.get(raw['role'], Document)(raw),
    'Event': lambda raw: {'run_started': RunStartedEvent, 'server_ready': ServerReadyEvent, 'phase_started': PhaseStartedEvent, 'phase_finished': PhaseFinishedEvent, 'progress': ProgressEvent, 'corpus_grew': CorpusGrewEvent, 'finding_found': FindingFoundEvent, 'finding_shrunk': FindingShrunkEvent, 'session_restarted': SessionRestartedEvent, 'run_finished': RunFinishedEvent}.get(raw['event'], Document)(raw),
    'Phase': str,
    'Sourcing': str,
    'AssertionSubject': str,
    'Outcome': str,
    'Revision': str,
    'Level': str,
    'ReplayStatus': str,
})
