import { cleanLine } from './clean-line.ts';
import { withoutForce } from './force-steps.ts';
import { gitAdvice } from './git-advice.ts';
import { lostHooks } from './lost-hooks.ts';
import { commitStep, offProtected } from './push-steps.ts';
import { sparsedOut } from './sparse-checkout.ts';

gitAdvice.bring({ cleanLine, withoutForce, offProtected, commitStep, lostHooks, sparsedOut });
