import { Late } from '../late.ts';
import type { ChangeReader } from './changes.ts';
import type { Text } from './text.ts';

/** Programs that change files they name, and that few commands hold. */
export const rareWriters = new Late<ReadonlyMap<string, ChangeReader>>(() => import('./rare-writes.ts'));

const names: ReadonlySet<string> = new Set(
  `age age-keygen ansible-vault aria2c ast-grep autoflake autopep8 biome black bsdtar buf bunzip2 bzip2
  clang-format comby crudini curl dart ditto docformatter dotenv dotenvx eslint eslint_d gofmt gofumpt goimports
  google-java-format gpg gunzip gzip http https iconv isort jaq js-beautify jscodeshift ktlint markdownlint
  markdownlint-cli2 nixfmt openssl oxlint pg_dump pg_format php-cs-fixer prettier psql pyupgrade rsync rubocop
  ruff rustfmt scp shfmt shuf sops sqlfluff standard stylelint stylua swiftformat taplo tar terraform tidy tofu
  unxz unzip unzstd wget xh xmllint xo xz yapf yq zip zstd`.split(/\s+/),
);

/** Programs of everyday that change files by one of their subcommands only. */
const subcommands: Readonly<Record<string, readonly string[]>> = {
  aws: ['s3'],
  docker: ['cp'],
  gcloud: ['storage'],
  gh: ['release'],
  gsutil: ['cp', 'mv'],
  kubectl: ['cp'],
  op: ['-o', '--out-file'],
  podman: ['cp'],
  vercel: ['env'],
};

/** Whether a call may be one of these programs at all, so that what reads them need not be loaded for others. */
export function mayWriteRarely(program: string, words: readonly Text[]): boolean {
  if (names.has(program)) return true;
  const known = Object.hasOwn(subcommands, program) ? subcommands[program] : undefined;
  return known !== undefined && words.some((word) => known.some((one) => word === one || word.startsWith(`${one}=`)));
}
