import { describe, expect, it } from 'vitest';
import { claude } from '../../src/agents/claude.ts';
import { readPowerShell } from '../../src/agents/powershell.ts';
import { judgeCommands } from '../../src/guards/judge.ts';
import { strictest } from '../guards/strictest.ts';
import { brokenRules, fakeFacts } from '../guards/support.ts';

/** The rules that a PowerShell script breaks, as the hook judges it. */
function judged(script: string): readonly string[] {
  const facts = fakeFacts(strictest(), { linked: true });
  const files = { '/repo/migrations/1.sql': 'x' };
  const known = { ...facts, exists: (path: string) => path in files || facts.exists(path) };
  return brokenRules(judgeCommands([{ script }, ...readPowerShell(script)], { cwd: '/repo', facts: known }));
}

describe('PowerShell', () => {
  it.each<[string, readonly string[]]>([
    ['git push origin main', ['protected-branch']],
    ['& git push origin main', ['protected-branch']],
    ["& 'C:\\Program Files\\Git\\bin\\git.exe' push origin main", ['protected-branch']],
    ["$b='main'; git push origin $b", ['protected-branch']],
    ['$b = "main"\ngit push origin "HEAD:$b"', ['protected-branch']],
    ['try { git push --force } catch {}', ['force-push']],
    ['if (Test-Path x) { git push origin main } else { git status }', ['protected-branch']],
    ['1..3 | ForEach-Object { git push origin main }', ['protected-branch']],
    ['$env:CAGR_SKIP=1; git push', ['hook-skip']],
    ['Set-Content .env x', ['protected-file']],
    ['Set-Content -Path .env -Value "x y"', ['protected-file']],
    ["'x' | Out-File .env", ['protected-file']],
    ["'x' | Out-File -FilePath migrations\\2.sql -Append", ['protected-file']],
    ["'x' > .env", ['protected-file']],
    ['ni .env', ['protected-file']],
    ['New-Item -Path . -Name .env -ItemType File', ['protected-file']],
    ['Remove-Item migrations/1.sql -Force', ['protected-file']],
    ['Remove-Item a.txt, .env', ['protected-file']],
    ['Copy-Item x -Destination .env', ['protected-file']],
    ['Move-Item .env /tmp/x', ['protected-file']],
    ['Rename-Item migrations/1.sql 2.sql', ['protected-file']],
    ['iwr https://example.com/x -OutFile .env', ['protected-file']],
    ['Set-Location migrations; Set-Content 2.sql x', ['protected-file']],
    ['Set-Content cagr.toml x', ['self-protection']],
    ['npm install zod', ['package-manager']],
    ['git status; git log -1', []],
    ['Get-Content .env | Select-String KEY', []],
    ['Set-Content src/a.ts x', []],
    ["Set-Content notes.md 'git push origin main'", []],
    ["Set-Content notes.md @'\ngit push origin main\nSet-Content .env x\n'@", []],
    ["Write-Host 'git push --force'", []],
    ['# git push origin main\ngit status', []],
    ['<# git push --force #> git status', []],
    ['git commit -m "feat: never git push origin main"', []],
    ["$m = 'git push origin main'; Write-Host $m", []],
    ['git push origin $branch', []],
    ['git push -u origin (git branch --show-current)', []],
    ['Remove-Item .env -WhatIf', []],
    ['Remove-Item dist -Recurse -Force', []],
    ['New-Item -ItemType Directory -Path migrations', []],
    ['Copy-Item .env /tmp/backup', []],
    ['Set-Location /tmp; Set-Content .env x', []],
    ['Set-Content .env.example x', []],
    ['bun install 2>&1 | Out-Null', []],
    ['bun test > $null', []],
    ['$x = @{ a = 1 }; $x.a', []],
    ['', []],
    ['"unclosed', []],
    ['((((', []],
  ])('%j → %j', (script, rules) => expect(judged(script)).toEqual(rules));

  it('is what Claude Code sends with its tool of that name', () => {
    const around = { env: () => undefined, cwd: '/repo' };
    const payload = (tool: string) => ({
      hook_event_name: 'PreToolUse',
      tool_name: tool,
      tool_input: { command: 'ls' },
    });
    expect(claude.parse(payload('PowerShell'), 'command.before', around)?.isPowerShell).toBe(true);
    expect(claude.parse(payload('Bash'), 'command.before', around)?.isPowerShell).toBeUndefined();
  });
});
