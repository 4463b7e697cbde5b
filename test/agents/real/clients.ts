import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CodexServer } from './codex-server.ts';

export type ClientName = 'claude' | 'codex' | 'copilot';

interface Pin {
  readonly package: string;
  readonly version: string;
  readonly bin: string;
}

const pins = JSON.parse(readFileSync(new URL('pins.json', import.meta.url), 'utf8')) as Record<ClientName, Pin>;

/** Where `npm run test:agents` installs the clients. */
const installed =
  process.env.CAGR_TEST_CLIENTS ?? path.resolve(import.meta.dirname, '../../../node_modules/.cache/agent-clients');

export const binOf = (name: ClientName): string => path.join(installed, name, 'node_modules/.bin', pins[name].bin);

/** What a client is started for. */
export interface Task {
  /** Where it starts. */
  readonly folder: string;
  /** The top of the repo, which the person trusts. */
  readonly top: string;
  readonly home: string;
  /** The model's address. */
  readonly model: string;
  /** Whether the person approved the hooks, where the client asks for that. */
  readonly approved: boolean;
  /** The model's name, where it matters to the client. */
  readonly modelName: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

interface Client {
  /** What it needs in its environment besides HOME and PATH. */
  env(task: Pick<Task, 'home' | 'model'>): Readonly<Record<string, string>>;
  /** What a person has done before: settings, trust. */
  prepare?(task: Task): Promise<void>;
  readonly args: readonly string[];
}

const prompt = 'Do the task.';

/** How each client runs without a person, against a model of ours. */
export const clients: Readonly<Record<ClientName, Client>> = {
  claude: {
    env: ({ home, model }) => ({
      CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
    args: [
      ...['-p', prompt, '--output-format', 'stream-json', '--verbose', '--include-hook-events'],
      ...['--model', 'claude-sonnet-4-5', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash,Read,Write,Edit,Agent'],
    ],
  },
  codex: {
    env: ({ home }) => ({ CODEX_HOME: path.join(home, '.codex'), MODEL_KEY: 'none' }),
    async prepare(task) {
      const file = path.join(task.home, '.codex/config.toml');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, codexSettings(task));
      const server = await CodexServer.start(task);
      try {
        await server.trustFolder(task.top);
        if (task.approved) await server.approveHooks(task.folder);
      } finally {
        await server.end();
      }
    },
    args: ['exec', '--json', prompt],
  },
  copilot: {
    env: ({ home, model }) => ({
      // It unpacks itself there when it first runs.
      XDG_CACHE_HOME: path.join(installed, 'copilot/cache'),
      COPILOT_HOME: path.join(home, '.copilot'),
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'gpt-4.1',
    }),
    args: ['-p', prompt, '--allow-all-tools', '--no-color', '--output-format', 'json', '--trust-folder'],
  },
};

const codexSettings = ({ model, modelName = 'gpt-5.5' }: Task): string => `model = "${modelName}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;

export { prompt };
