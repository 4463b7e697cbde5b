import type { AgentAdapter, AgentCall, Answered } from '../agents/adapter.ts';
import { agentNamed, agents } from '../agents/index.ts';
import { allow, type Decision } from '../decision.ts';
import { type EventName, eventNames, isEventName } from '../events.ts';
import { loadMissed } from '../late.ts';
import { dirname, resolveFrom } from '../paths.ts';
import { ConfigError } from '../policy/config-error.ts';
import { findConfig } from '../policy/find.ts';
import type { Session } from '../session/state.ts';
import type { HookContext } from './context.ts';
import { coveredCall } from './covered.ts';
import { leaveStdin } from './descriptor-source.ts';
import type { HookNotes } from './keep.ts';
import { readPayload } from './stdin.ts';
import { writeAnswer } from './stdout.ts';

/**
 * `cagr hook <event> --agent <name>`: the payload on stdin, the answer in the agent's own format on stdout. `argv` is what
 * follows `hook`. Whatever goes wrong, the call is let through with a notice for the human, and the exit code is 0: to
 * the agents another code means a refusal, or a broken hook.
 */
export async function runHook(argv: readonly string[]): Promise<void> {
  const asked = readArguments(argv);
  const agent = agentNamed(asked.agent ?? '') ?? agents[0];
  const event = isEventName(asked.event ?? '') ? (asked.event as EventName) : undefined;
  let answered: Answered = { event: event ?? 'command.before', native: '', caller: agent.caller, input: {} };
  let leave: ((notice: string) => void) | undefined;
  let session: string | undefined;
  const notes: HookNotes = { outcomes: [], commands: [] };
  let folder: string | undefined;
  let decision: Decision;
  try {
    if (event === undefined) throw new Error(unknownWord('event', asked.event, eventNames));
    if (agent.name !== asked.agent) {
      const names = agents.map(({ name }) => name);
      throw new Error(unknownWord('agent', asked.agent, names));
    }
    const payload = await readPayload();
    const parsed = agent.parse(payload, event, { env: (name) => process.env[name], cwd: process.cwd() });
    const call = parsed && coveredCall(parsed);
    if (!call) {
      // Some callers count an empty stdout as a failure, so they are told that there is nothing to say.
      if (parsed) writeAnswer(agent.format(allow, parsed));
      return;
    }
    answered = call;
    folder = folderOf(call);
    session = call.session;
    await preparePolicies(call);
    const context = await createContext(agent, call, notes);
    if (event === 'session.start' && !call.caller.showsStartNotice) {
      leave = (notice) => context.session.leaveNotice(notice);
    }
    decision = await answer(call, context);
    if (event !== 'session.start') decision = withNotice(decision, context.session.takeNotice());
    else if (decision.notice) leave?.(decision.notice);
  } catch (error) {
    const { failOpen } = await import('./fail-open.ts');
    const notice = await failOpen(error);
    decision = { kind: 'allow', notice };
    // A broken config speaks up by itself with the next call, unless it has been mended by then.
    if (!(error instanceof ConfigError)) leave?.(notice);
    notes.outcomes.push({ decision: 'fail-open', rule: undefined, target: '' });
  }
  writeAnswer(agent.format(await withVisibleTexts(decision), answered));
  const { keepNotes } = await import('./keep.ts');
  await keepNotes({ hook: answered.event, agent: agent.name, session, folder: folder ?? currentFolder() }, notes);
  leaveStdin();
}

/** Where the config and the checkout of a call are looked for. */
function folderOf({ cwd, edits: [edit] }: AgentCall): string {
  return edit ? dirname(resolveFrom(cwd, edit.path)) : cwd;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    // It was deleted.
    return '/';
  }
}

interface Asked {
  readonly event: string | undefined;
  readonly agent: string | undefined;
}

/** The event and `--agent NAME` or `--agent=NAME`, in any order; unknown words are passed over. */
function readArguments(argv: readonly string[]): Asked {
  let event: string | undefined;
  let agent: string | undefined;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--agent') {
      index += 1;
      agent = argv[index];
    } else if (word.startsWith('--agent=')) agent = word.slice('--agent='.length);
    else if (!word.startsWith('-')) event ??= word;
  }
  return { event, agent };
}

function unknownWord(what: string, word: string | undefined, known: readonly string[]): string {
  const problem = word === undefined ? `The hook's command names no ${what}` : `The ${what} \`${word}\` is unknown`;
  return `${problem}; it is one of ${known.join(', ')}. Run \`cagr sync\`.`;
}

/**
 * Sees to it that the policies of a call can be asked for. Those of most calls are kept from an earlier one and need
 * neither the parser nor the validation; what comes after an edit may ask for any folder, and is not in that hurry.
 */
async function preparePolicies({ event, cwd, edits }: AgentCall): Promise<void> {
  const [{ keepConfigsIn, policyAt }, { keptConfigs }] = await Promise.all([
    import('../policy/at.ts'),
    import('../session/kept-configs.ts'),
  ]);
  keepConfigsIn(keptConfigs);
  if (event !== 'file.after_edit' && event !== 'turn.end') {
    const folders = edits.length > 0 ? edits.map((edit) => dirname(resolveFrom(cwd, edit.path))) : [cwd];
    try {
      for (const folder of folders) policyAt(folder);
    } catch {
      // It is asked for again, and what is wrong with it told, where the call is judged.
    }
    await loadMissed();
    return;
  }
  await import('../policy/load.ts');
}

async function createContext(agent: AgentAdapter, call: AgentCall, notes: HookNotes): Promise<HookContext> {
  const [{ createFacts }, { openSession }, { noteTakers }] = await Promise.all([
    import('./facts.ts'),
    import('../session/state.ts'),
    import('./keep.ts'),
  ]);
  const facts = createFacts(process.env);
  let session: Session | undefined;
  return {
    agent,
    facts,
    get session() {
      session ??= openSession({
        checkout: facts.repo(call.cwd)?.top ?? call.cwd,
        agent: agent.name,
        session: call.session,
        subagent: call.subagent,
      });
      return session;
    },
    // On Node the first look at this clock loads a module.
    get startedAt() {
      return performance.timeOrigin;
    },
    ...noteTakers(notes),
  };
}

async function answer(call: AgentCall, context: HookContext): Promise<Decision> {
  switch (call.event) {
    case 'session.start':
      return (await import('./session-start.ts')).sessionStart(call, context);
    case 'command.before':
      return (await import('./command-before.ts')).commandBefore(call, context);
    case 'file.before_edit':
      return (await import('./file-before-edit.ts')).fileBeforeEdit(call, context);
    case 'file.after_edit':
      return (await import('./file-after-edit.ts')).fileAfterEdit(call, context);
    case 'turn.end':
      if (findConfig(call.cwd) === undefined && context.session.touched().length === 0) return allow;
      return (await import('./turn-end.ts')).turnEnd(call, context);
  }
}

/** Names and outputs that found their way into a text must not draw on the person's screen, or hide from the agent's eyes. */
async function withVisibleTexts(decision: Decision): Promise<Decision> {
  if (decision === allow) return allow;
  const { visible } = await import('../visible-text.ts');
  const shown = Object.entries(decision).map(([key, text]) => [key, key === 'command' ? text : visible(text)]);
  return Object.fromEntries(shown) as Decision;
}

/** Adds a notice that was left for later; a line that both have is said once. */
function withNotice(decision: Decision, left: string | undefined): Decision {
  if (left === undefined) return decision;
  const lines = [...left.split('\n'), ...(decision.notice?.split('\n') ?? [])];
  return { ...decision, notice: [...new Set(lines)].join('\n') };
}
