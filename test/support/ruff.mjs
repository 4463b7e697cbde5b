#!/usr/bin/env node
// A small `ruff` for tests: Ruff's own linter, compiled to WebAssembly, behind the part of its command line that the tests use:
// `ruff check [--fix] [--no-fix] [--no-cache] [--select CODES] [--ignore CODES] [--output-format json] [--stdin-filename F] (FILE… | -)`
// and `ruff format FILE…`. It reads `ruff.toml` and `[tool.ruff]` of `pyproject.toml` in the folder it is started in.
// Output and exit codes follow `ruff` 0.16: 0 nothing found, 1 something found, 2 it could not run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { parse as parseToml } from 'smol-toml';

// V8 would optimise the whole linter before the process may end: 2 s of work in place of 0.3.
setFlagsFromString('--liftoff-only');
const { PositionEncoding, Workspace } = await import('@astral-sh/ruff-wasm-nodejs');

const valued = new Set(['--select', '--ignore', '--output-format', '--stdin-filename', '--config']);
const plain = new Set(['--fix', '--no-fix', '--no-cache', '--quiet', '--preview', '--force-exclude']);

function readArguments([subcommand, ...words]) {
  const given = { subcommand, files: [], options: new Map() };
  if (subcommand !== 'check' && subcommand !== 'format') throw new Error(`unrecognized subcommand '${subcommand}'`);
  for (let index = 0; index < words.length; index += 1) {
    const [option, attached] = words[index].startsWith('--') ? words[index].split('=', 2) : [words[index]];
    if (valued.has(option)) {
      if (attached === undefined) index += 1;
      given.options.set(option, attached ?? words[index]);
    } else if (plain.has(option)) given.options.set(option, '');
    else if (option.startsWith('-') && option !== '-') throw new Error(`unexpected argument '${option}' found`);
    else given.files.push(option);
  }
  return given;
}

function projectSettings() {
  if (!existsSync('pyproject.toml')) return {};
  return parseToml(readFileSync('pyproject.toml', 'utf8')).tool?.ruff ?? {};
}

function settingsOf(options) {
  const file = ['ruff.toml', '.ruff.toml'].find((name) => existsSync(name));
  const settings = file ? parseToml(readFileSync(file, 'utf8')) : projectSettings();
  const list = (option, key) => options.get(option)?.split(',') ?? settings.lint?.[key];
  const lint = { ...settings.lint, select: list('--select', 'select') ?? ['E4', 'E7', 'E9', 'F'] };
  const ignore = list('--ignore', 'ignore');
  return { ...settings, lint: ignore ? { ...lint, ignore } : lint };
}

function applyFixes(workspace, text) {
  let fixed = text;
  for (let round = 0; round < 100; round += 1) {
    const fix = workspace.check(fixed).find((entry) => entry.fix?.edits.length === 1)?.fix.edits[0];
    if (!fix) return fixed;
    const starts = [0];
    for (let at = fixed.indexOf('\n'); at >= 0; at = fixed.indexOf('\n', at + 1)) starts.push(at + 1);
    const offset = ({ row, column }) => (starts[row - 1] ?? fixed.length) + column - 1;
    fixed = fixed.slice(0, offset(fix.location)) + (fix.content ?? '') + fixed.slice(offset(fix.end_location));
  }
  return fixed;
}

function toEntry(entry, file) {
  const { code, message, start_location: location, end_location } = entry;
  const filename = path.resolve(file);
  return {
    cell: null,
    code,
    end_location,
    filename,
    fix: entry.fix,
    location,
    message,
    noqa_row: location.row,
    severity: 'error',
  };
}

try {
  const { subcommand, files, options } = readArguments(process.argv.slice(2));
  const workspace = new Workspace(settingsOf(options), PositionEncoding.Utf16);
  const found = [];
  for (const file of files) {
    const name = file === '-' ? (options.get('--stdin-filename') ?? '-') : file;
    let text = readFileSync(file === '-' ? 0 : file, 'utf8');
    if (subcommand === 'format') {
      writeFileSync(file, workspace.format(text));
      continue;
    }
    if (options.has('--fix') && file !== '-') {
      text = applyFixes(workspace, text);
      writeFileSync(file, text);
    }
    for (const entry of workspace.check(text)) found.push(toEntry(entry, name));
  }
  if (options.get('--output-format') === 'json') process.stdout.write(JSON.stringify(found, null, 2));
  else {
    for (const { code, filename, location, message } of found) {
      console.log(`${path.relative('.', filename)}:${location.row}:${location.column}: ${code} ${message}`);
    }
    console.log(found.length > 0 ? `Found ${found.length} errors.` : 'All checks passed!');
  }
  process.exitCode = found.length > 0 ? 1 : 0;
} catch (error) {
  console.error(`ruff failed\n  Cause: ${error.message}`);
  process.exitCode = 2;
}
