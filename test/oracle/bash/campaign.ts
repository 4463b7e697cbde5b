import fc from 'fast-check';
import { createFacts } from '../../../src/hook/facts.ts';
import { readCommand } from '../../../src/shell/invocations.ts';
import { compare, type Disagreement, type Verdict } from './agreement.ts';
import { Scratch } from './machine.ts';
import { type Script, scripts } from './scripts.ts';

/** A script on which bash and the reader disagree, made as small as it could be. */
interface Failure {
  /** The seed that makes the script as it was first. */
  readonly seed: number;
  readonly script: string;
  readonly disagreements: readonly Disagreement[];
}

/** What came of many scripts. */
export interface Campaign {
  scripts: number;
  /** Scripts that bash itself did not take, or that did not end. */
  left: number;
  /** Program calls that bash made. */
  runs: number;
  /** The words, folders and watched variables of these. */
  values: number;
  /** How many of them the reader left unknown. */
  unknown: number;
  /** The values of scripts in which nothing depends on what a program prints or the environment holds. */
  staticValues: number;
  staticUnknown: number;
  /** Calls read that did not run, as their branch was not taken. */
  notTaken: number;
  readonly failures: Failure[];
}

/** A failure is made smaller in at most this many steps, and only the first ones are. */
const mostTries = 150;
const mostShrunk = 20;

/** Lets bash and the reader read the same scripts, several at a time. The script at index `i` comes from the seed `seed + i`. */
export async function runCampaign({ seed, count }: { seed: number; count: number }): Promise<Campaign> {
  const campaign: Campaign = {
    scripts: 0,
    left: 0,
    runs: 0,
    values: 0,
    unknown: 0,
    staticValues: 0,
    staticUnknown: 0,
    notTaken: 0,
    failures: [],
  };
  let next = 0;
  const work = async (): Promise<void> => {
    const scratch = new Scratch();
    try {
      while (next < count) {
        const failure = await tryScript(seed + next++, scratch, campaign);
        if (failure) campaign.failures.push(failure);
      }
    } finally {
      scratch.remove();
    }
  };
  await Promise.all([work(), work(), work()]);
  return campaign;
}

async function tryScript(seed: number, scratch: Scratch, campaign: Campaign): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  let tries = 0;
  const property = fc.asyncProperty(scripts, async (script) => {
    if (tries > mostTries) return true;
    const verdict = await judge(script, scratch);
    if (tries === 0) note(campaign, script, verdict);
    tries += 1;
    if (!verdict || verdict.disagreements.length === 0) return true;
    failure = { seed, script: script.text, disagreements: verdict.disagreements };
    return false;
  });
  await fc.check(property, { seed, numRuns: 1, endOnFailure: campaign.failures.length >= mostShrunk });
  return failure;
}

/** `undefined` where bash does not take the script, or it does not end. */
async function judge(script: Script, scratch: Scratch): Promise<Verdict | undefined> {
  const text = script.text.replaceAll('@TOP@', scratch.top);
  // The facts are asked before bash changes anything.
  const reading = readCommand({ script: text }, { cwd: scratch.top, facts: createFacts(scratch.env) });
  const { runs, stderr, timedOut } = await scratch.record(text);
  if (script.writes) scratch.clean();
  if (timedOut || /syntax error|unexpected E/.test(stderr)) return undefined;
  return compare(script, runs, reading.invocations);
}

function note(campaign: Campaign, script: Script, verdict: Verdict | undefined): void {
  campaign.scripts += 1;
  if (!verdict) {
    campaign.left += 1;
    return;
  }
  campaign.runs += verdict.runs;
  campaign.values += verdict.values;
  campaign.unknown += verdict.unknown;
  campaign.notTaken += verdict.notTaken;
  if (script.isDynamic) return;
  campaign.staticValues += verdict.values;
  campaign.staticUnknown += verdict.unknown;
}
