// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are task files.
import { describe, expect, it } from 'vitest';
import { readCommand } from '../../src/shell/invocations.ts';
import { factsOf, show } from './world.ts';

/** What is read of a task file, behind the call that runs a task. */
function runs(call: string, files: Readonly<Record<string, string>>): readonly string[] {
  const facts = { ...factsOf({ files }), exists: (path: string) => path === '/repo/built' || path === '/repo' };
  return readCommand({ script: call }, { cwd: '/repo', facts })
    .invocations.filter(({ via }) => via.some(({ kind }) => kind === 'script-file'))
    .map((invocation) => show({ ...invocation, via: [] }));
}

describe('Makefiles', () => {
  const makefile = `
SHELL := /bin/bash
TF = terraform
REGION ?= eu
TWICE = a
TWICE = b
FLAGS = -auto-approve
FLAGS += -lock=false
export HUSKY = 0
.PHONY: all apply plan

all: plan ## the default
\t@echo done

plan:
\t$(TF) plan -var region=$(REGION)

apply: plan
\tcd infra && \\
\t  \${TF} apply $(FLAGS)
\t-git push origin main # now

built: plan
\tgit push

dist/app: src/main.c
\tcc -o $@ $<

unclear:
\t$(TWICE) apply
\t$(shell git push)
\techo $$HOME $(NAME)

under:
ifeq ($(CI),1)
\tgit push
else
\tls
endif
\ta

ifdef CI
deploy:
\tgit push
endif

asks:
\t@read -p "Sure? " x; [ "$$x" = y ]
\tif a; then git push; fi

nested:
\t$(MAKE) plan

one: ; git fetch
%.o: %.c
\tcc $<
define text
push:
\tgit push
endef
`;

  it.each<[call: string, ...string[]]>([
    ['make', 'terraform plan -var region=eu', 'echo done'],
    ['make plan', 'terraform plan -var region=eu'],
    ['make plan REGION=us', 'terraform plan -var region=us'],
    [
      'make apply',
      'terraform plan -var region=eu',
      'cd infra',
      'terraform apply … @ /repo/infra',
      'git push origin main',
    ],
    ['make -j4 plan', 'terraform plan -var region=eu'],
    ['make dist/app', 'cc -o dist/app src/main.c'],
    ['make nested', 'make plan', 'terraform plan -var region=eu'],
    ['make one', 'git fetch'],
    ['sudo make one', 'git fetch'],
    ['make plan plan', 'terraform plan -var region=eu'],
    // What depends on the run, or is not plain.
    ['make built', 'terraform plan -var region=eu'],
    ['make unclear', '… apply', '…', 'echo /home/dev …'],
    ['make under'],
    ['make deploy'],
    ['make push'],
    ['make asks', "read -p 'Sure? ' x", '[ … = y ]', 'a'],
    ['make -n apply'],
    ['make --dry-run apply'],
    ['make -f other.mk apply'],
    ['make "$TARGET"'],
    ['make -C web apply'],
    ['echo make apply'],
  ])('%s', (call, ...expected) => {
    expect(runs(call, { '/repo/Makefile': makefile })).toEqual(expected);
  });

  it('is found where the call works', () => {
    const files = { '/repo/web/Makefile': 'up:\n\tgit push', '/repo/x.mk': '.ONESHELL:\nup:\n\tcd web\n\tgit push' };
    expect(runs('make -C web up', files)).toEqual(['git push @ /repo/web']);
    expect(runs('make -f x.mk up', files)).toEqual(['cd web', 'git push @ /repo/web']);
    expect(runs('make up', { '/repo/Makefile': 'SHELL = /usr/bin/python3\nup:\n\tgit push' })).toEqual([]);
  });
});

describe('justfiles', () => {
  const justfile = `
set shell := ["bash", "-uc"]
region := "eu"
branch := \`git branch --show-current\`
alias p := push

default: plan
  @echo done

plan:
    terraform plan -var region={{region}}

apply env *flags: plan && note
    cd infra
    terraform apply {{env}} {{flags}}

push to="main":
    git push origin {{to}}

note:
    echo {{branch}} {{ if env == "x" { "a" } else { "b" } }}

[confirm]
sure:
    git push

all: (push "a") plan
    ls

script:
    #!/usr/bin/env bash
    set -e
    if a; then exit 0; fi
    git push

python:
    #!/usr/bin/env python3
    import os
`;

  it.each<[call: string, ...string[]]>([
    ['just', 'terraform plan -var region=eu', 'echo done'],
    ['just push', 'git push origin main'],
    ['just push feat/a', 'git push origin feat/a'],
    ['just p', 'git push origin main'],
    ['just push x plan', 'git push origin x', 'terraform plan -var region=eu'],
    ['just region=us plan', 'terraform plan -var region=us'],
    ['cd web && just plan', 'terraform plan -var region=eu'],
    [
      'just apply prod -lock=false',
      'terraform plan -var region=eu',
      'cd infra',
      'terraform apply prod -lock=false',
      'echo … …',
    ],
    ['just all', 'terraform plan -var region=eu', 'ls'],
    ['just script', 'set -e', 'a'],
    // What asks first, is in another language, or runs nothing.
    ['just sure'],
    ['just python'],
    ['just nosuch plan'],
    ['just --list'],
    ['just -n push'],
    ['just --show push'],
  ])('%s', (call, ...expected) => {
    expect(runs(call, { '/repo/justfile': justfile })).toEqual(expected);
  });

  it('leaves other shells alone', () => {
    expect(runs('just up', { '/repo/justfile': 'set shell := ["nu", "-c"]\nup:\n  git push' })).toEqual([]);
  });
});
