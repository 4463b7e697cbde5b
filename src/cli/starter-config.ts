import template from '../../templates/cagr.toml';
import { agents } from '../agents/index.ts';
import { type Proposal, type ProposedStack, usualHooksPath } from './proposal.ts';

/** The text of a new `cagr.toml`, put together from the pieces of the template. */
export function starterConfig(proposal: Proposal): string {
  const texts = [
    ...(proposal.hasSchema ? [piece('schema')] : []),
    piece('head'),
    ...managerTexts(proposal),
    ...gitTexts(proposal),
    piece('files'),
    piece('files-allow'),
    ...(proposal.blockedCommands.length > 0 ? [piece('commands')] : []),
  ].map((text) =>
    fill(text, {
      protected: list(proposal.protectedFiles),
      allow: list(proposal.allowedFiles),
      blocked: list(proposal.blockedCommands),
    }),
  );
  return [...texts, ...proposal.stacks.map(stackText), ...agentTexts(proposal), piece('tail')].join('');
}

function managerTexts({ javascript, python }: Proposal): readonly string[] {
  const languages = { javascript, python };
  const texts = (['javascript', 'python'] as const).flatMap((language) => {
    const managers = languages[language];
    if (managers.length === 0) return [];
    const name = managers.length === 1 ? language : `${language}-unsure`;
    return [fill(piece(name), { manager: managers[0] ?? '', managers: managers.join(', ') })];
  });
  return texts.length === 0 ? [] : [piece('package-managers'), ...texts];
}

function gitTexts(proposal: Proposal): readonly string[] {
  const { protectedBranches, blockForcePush, blockHookSkips, conventionalCommits, prePush, slowPrePush, hooksPath } =
    proposal;
  return [
    piece('git'),
    ...(protectedBranches.length === 0
      ? []
      : [fill(piece('protected-branch'), { branch: oneOrList(protectedBranches) })]),
    ...(blockForcePush ? [piece('force-push')] : []),
    ...(blockHookSkips ? [piece('hook-skips')] : []),
    ...(prePush.length > 0 ? [fill(piece('pre-push'), { commands: list(prePush) })] : []),
    ...(slowPrePush.length > 0 ? [fill(piece('slow-pre-push'), { commands: list(slowPrePush) })] : []),
    ...(hooksPath === usualHooksPath ? [] : [fill(piece('hooks-path'), { folder: quote(hooksPath) })]),
    piece(conventionalCommits ? 'conventional' : 'unconventional'),
    piece('git-more'),
  ];
}

function stackText({ name, extensions, onEdit, slowOnEdit, onTurnEnd }: ProposedStack): string {
  const left = slowOnEdit.filter((command) => !onEdit.includes(command));
  if (onEdit.length === 0 && onTurnEnd.length === 0) return '';
  return [
    fill(piece('stack'), { name, extensions: list(extensions) }),
    ...(onEdit.length > 0 ? [fill(piece('stack-on-edit'), { commands: list(onEdit) })] : []),
    ...(left.length > 0 ? [fill(piece('stack-slow-on-edit'), { commands: left.map(quote).join(', ') })] : []),
    ...(onTurnEnd.length > 0 ? [fill(piece('stack-on-turn-end'), { commands: list(onTurnEnd) })] : []),
  ].join('');
}

/** All agents are on by default, so they stand there only where one is to be off. */
function agentTexts({ agents: wanted }: Proposal): readonly string[] {
  const names = agents.map(({ name }) => name);
  if (names.every((name) => wanted.includes(name))) return [];
  return [
    piece('agents'),
    ...names.map((name) => fill(piece('agent'), { name, wanted: String(wanted.includes(name)) })),
  ];
}

const pieces = new Map(
  template
    .split(/^#\? /m)
    .slice(1)
    .map((text): [string, string] => {
      const end = text.indexOf('\n');
      return [text.slice(0, end).trim(), text.slice(end + 1)];
    }),
);

function piece(name: string): string {
  const text = pieces.get(name);
  if (text === undefined) throw new Error(`The template of cagr.toml has no piece ${name}.`);
  return text;
}

/** Each place holder must have its value, or the config would be broken. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{([a-z]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template of cagr.toml wants a value for ${name}.`);
    return value;
  });
}

/** JSON's strings are TOML's basic strings, but for the delete character, which is no part of a name or command here. */
const quote = (text: string): string => JSON.stringify(text);

const oneOrList = (items: readonly string[]): string => {
  const [only, ...more] = items;
  return only !== undefined && more.length === 0 ? quote(only) : list(items);
};

function list(items: readonly string[]): string {
  const line = `[${items.map(quote).join(', ')}]`;
  return line.length <= 110 ? line : `[\n${items.map((item) => `  ${quote(item)},\n`).join('')}]`;
}
