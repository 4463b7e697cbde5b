import type { ArithmeticExpression, ArithmeticFor } from './parse.ts';

/** An expression that nests more is not worked out. */
const deepest = 100;

/**
 * The value of an arithmetic expression over whole numbers and variables that are known; `undefined` for everything that
 * is more than counting, or that sets a variable.
 */
export function evaluateArithmetic(
  node: ArithmeticExpression,
  lookUp: (name: string) => string | undefined,
  depth = 0,
): number | undefined {
  if (depth > deepest) return undefined;
  switch (node.type) {
    case 'ArithmeticGroup':
      return evaluateArithmetic(node.expression, lookUp, depth + 1);
    case 'ArithmeticWord': {
      const name = node.value.startsWith('$') ? node.value.slice(1) : node.value;
      const text = /^\d+$/.test(node.value) ? node.value : /^\w+$/.test(name) ? lookUp(name) : undefined;
      return text !== undefined && /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : undefined;
    }
    case 'ArithmeticUnary': {
      if (node.operator !== '-' && node.operator !== '+') return undefined;
      const operand = evaluateArithmetic(node.operand, lookUp, depth + 1);
      return operand === undefined || node.operator === '+' ? operand : -operand;
    }
    case 'ArithmeticBinary': {
      const left = evaluateArithmetic(node.left, lookUp, depth + 1);
      const right = evaluateArithmetic(node.right, lookUp, depth + 1);
      return left === undefined || right === undefined ? undefined : calculate(left, node.operator, right);
    }
    case 'ArithmeticTernary':
    case 'ArithmeticCommandExpansion':
      return undefined;
  }
}

function calculate(left: number, operator: string, right: number): number | undefined {
  const value = operations[operator]?.(left, right);
  return value !== undefined && Number.isSafeInteger(value) ? value + 0 : undefined;
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
};

/** The values that `for ((i = 0; i < 3; i++))` counts through; `undefined` for a loop of another kind, or with more rounds. */
export function countRounds(
  { initialize, test, update }: ArithmeticFor,
  most: number,
  lookUp: (name: string) => string | undefined,
): { readonly name: string; readonly values: readonly string[]; readonly after: string } | undefined {
  if (initialize?.type !== 'ArithmeticBinary' || initialize.operator !== '=') return undefined;
  if (test?.type !== 'ArithmeticBinary' || (test.operator !== '<' && test.operator !== '<=')) return undefined;
  const name = variableOf(initialize.left);
  const from = evaluateArithmetic(initialize.right, lookUp);
  const to = evaluateArithmetic(test.right, lookUp);
  const isUp = update?.type === 'ArithmeticUnary' && update.operator === '++' && variableOf(update.operand) === name;
  if (name === undefined || variableOf(test.left) !== name || !isUp || from === undefined || to === undefined) {
    return undefined;
  }
  const count = Math.max(0, to - from + (test.operator === '<=' ? 1 : 0));
  if (count > most) return undefined;
  return {
    name,
    values: Array.from({ length: count }, (_, index) => String(from + index)),
    after: String(from + count),
  };
}

const variableOf = (node: ArithmeticExpression): string | undefined =>
  node.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(node.value) ? node.value : undefined;
