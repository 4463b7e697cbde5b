import type { ArithmeticExpression } from './parse.ts';

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
