import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';

export type {
  ArithmeticExpression,
  ArithmeticFor,
  Assignment,
  Case,
  Command,
  CommandExpansionPart,
  CompoundList,
  For,
  Function as FunctionDefinition,
  HereDoc,
  If,
  ParameterExpansionPart,
  ParsedScript,
  Pipeline,
  ProcessSubstitutionPart,
  Redirection,
  Select,
  Statement,
  SyntaxNode,
  While,
  Word,
  WordPart,
} from 'unbash';

/** A parsed script with the text that its positions count in (UTF-16 units). */
export interface ShellScript {
  readonly source: string;
  readonly tree: ParsedScript;
}

/**
 * Parses a script as bash. It never throws: a script that can't be read whole gives the tree of what was understood and
 * says so in `tree.errors`. Scripts inside words have errors of their own, which come with the words.
 */
export function parseScript(source: string): ShellScript {
  try {
    return { source, tree: parse(source) };
  } catch (error) {
    // The parser is made to recover from everything; what is left is a stack that ran out, and that must not take the call down.
    if (!(error instanceof Error)) throw error;
    return { source, tree: emptyTree(source.length, error.message) };
  }
}

function emptyTree(end: number, message: string): ParsedScript {
  return { type: 'Script', pos: 0, end, shebang: undefined, commands: [], errors: [{ message, pos: 0 }] };
}

/**
 * Whether a word or here-document body can hold a command: it is a substitution's text that makes it so, and to look at
 * the text is what keeps a heredoc of a megabyte cheap.
 */
export function mayHoldCommand(text: string): boolean {
  return (
    text.includes('`') ||
    text.includes('$(') ||
    text.includes('<(') ||
    text.includes('>(') ||
    // Bash 5.3's substitutions without a subshell.
    text.includes('${ ') ||
    text.includes('${|')
  );
}

/**
 * Calls back for each script that stands in a node in the place of a value: command and process substitutions, wherever
 * the grammar allows them (words, arithmetic, tests, patterns, array indices). It does not go into the scripts themselves.
 */
export function eachNestedScript(node: SyntaxNode, callback: (script: ParsedScript) => void): void {
  for (const inner of descend(node, (next) => next.type !== 'Script' && (!isText(next) || mayHoldCommand(next.text)))) {
    if (inner.type === 'Script') callback(inner);
  }
}

/** A node and those below it, in the order of the text. A chain of operators is as deep as it is long, so there is no recursion. */
function* descend(node: SyntaxNode, goesInto: (node: SyntaxNode) => boolean): Iterable<SyntaxNode> {
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    if (!goesInto(next)) continue;
    const start = waiting.length;
    forEachChild(next, (child) => waiting.push(child));
    const children = waiting.splice(start);
    while (children.length > 0) {
      const child = children.pop();
      if (child) waiting.push(child);
    }
  }
}

const isText = (node: SyntaxNode): node is SyntaxNode & { readonly text: string } =>
  'text' in node && (node.type === 'Word' || node.type === 'HereDocBody' || node.type === 'ArithmeticExpansion');

/** Calls back for each variable that an arithmetic expression sets: `i++`, `n += 2`. */
export function eachArithmeticAssignment(node: SyntaxNode, callback: (name: string) => void): void {
  for (const inner of descend(node, ({ type }) => type.startsWith('Arithmetic'))) {
    if (inner.type === 'ArithmeticBinary' && inner.operator.endsWith('=') && !comparisons.has(inner.operator)) {
      if (inner.left.type === 'ArithmeticWord') callback(inner.left.value);
    }
    if (inner.type === 'ArithmeticUnary' && (inner.operator === '++' || inner.operator === '--')) {
      if (inner.operand.type === 'ArithmeticWord') callback(inner.operand.value);
    }
  }
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=']);
