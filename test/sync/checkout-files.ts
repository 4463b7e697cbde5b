import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder with files, to be compared with itself later. */
export class Tree {
  readonly top = realpathSync(mkdtempSync(path.join(tmpdir(), 'cagr-tree-')));

  put(name: string, text: string | Buffer, mode = 0o644): void {
    const file = path.join(this.top, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }

  text(name: string): string {
    return readFileSync(path.join(this.top, name), 'utf8');
  }

  mode(name: string): number {
    return statSync(path.join(this.top, name)).mode & 0o777;
  }

  /** Every file but those below .git, with its bytes and its mode. */
  all(): Record<string, string> {
    const names = readdirSync(this.top, { recursive: true, encoding: 'utf8' }).sort();
    const files = names.filter((name) => !/^\.git(?:\/|$)/.test(name) && statSync(path.join(this.top, name)).isFile());
    return Object.fromEntries(
      files.map((name) => [
        name,
        `${this.mode(name).toString(8)} ${readFileSync(path.join(this.top, name), 'latin1')}`,
      ]),
    );
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}
