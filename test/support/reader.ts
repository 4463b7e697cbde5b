// Tests ask for policies as every command of cagr does: with the reader at hand.
import '../../src/policy/load.ts';
