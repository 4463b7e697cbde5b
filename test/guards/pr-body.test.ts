import { describe, expect, it } from 'vitest';
import { missingHeadings } from '../../src/guards/body-verdict.ts';
import { prBody } from '../../src/guards/pr-body.ts';
import { breachOf, judgeScript, policyOf } from './support.ts';

const config = 'pull_request.headings = ["Testing", "Risk", "How to revert"]';
const good = '## Testing\n\nran it\n\n## Risk\n\nnone\n\n## How to revert\n\ngit revert\n';
const files = { '/repo/good.md': good, '/repo/bad.md': '## Testing\n', '/tmp/good.md': good };

describe('commands', () => {
  it.each<[string, string, boolean]>([
    ['a body in quotes', `gh pr create -t x --body '${good}'`, true],
    ['a short option', `gh pr create -t x -b '${good}'`, true],
    ['a value after =', `gh pr create --body='${good}'`, true],
    ['a heredoc in a substitution', `gh pr create --title x --body "$(cat <<'EOF'\n${good}EOF\n)"`, true],
    ['a file', 'gh pr create -t x --body-file good.md', true],
    ['a file elsewhere', 'gh pr create -t x -F /tmp/good.md', true],
    ['a file after a cd', 'cd docs && gh pr create -t x -F ../good.md', true],
    ['a substituted file', 'gh pr create -t x --body "$(cat good.md)"', true],
    ['a heredoc on stdin', `gh pr create -t x -F - <<'EOF'\n${good}EOF`, true],
    ['a pipe on stdin', 'cat good.md | gh pr create -t x --body-file -', true],
    ['a file that the command writes first', `cat > body.md <<'EOF'\n${good}EOF\ngh pr create -F body.md`, true],
    ['a file that echo writes first', `echo '${good}' > body.md && gh pr create -t x -F body.md`, true],
    ['a file that printf writes first', `printf '%s' '${good}' > body.md; gh pr create -t x --body-file=body.md`, true],
    [
      'a file written in parts',
      "echo '## Testing' > b.md; echo '## Risk' >> b.md; echo '## How to revert' >> b.md; gh pr create -t x -F b.md",
      true,
    ],
    [
      'a file that a group writes',
      "{ echo '## Testing'; echo '## Risk'; echo '## How to revert'; } > b.md; gh pr create -F b.md",
      true,
    ],
    ['a file of a program', 'python3 body.py > body.md; gh pr create -t x -F body.md', true],
    ['a body in a variable', `BODY="$(cat <<'EOF'\n${good}EOF\n)"; gh pr create -t x --body "$BODY"`, true],
    ['a body known in part', 'gh pr create -t x --body "## Testing $(make notes)"', true],
    ['another repo by variable', 'GH_REPO=other/repo gh pr create --fill', true],
    ['the API', `gh api repos/acme/app/pulls -f title=x -f head=feat/a -f base=main -f body='${good}'`, true],
    ['the API with an unknown body', 'gh api repos/acme/app/pulls -f title=x -f body="$BODY"', true],
    ['the API for a title', 'gh api -X PATCH repos/acme/app/pulls/12 -f title=y', true],
    ['the API of another repo', 'gh api repos/other/repo/pulls -f title=x -f body=short', true],
    ['the API to read', 'gh api repos/acme/app/pulls', true],
    ['a comment by API', 'gh api repos/acme/app/pulls/12/comments -f body=short', true],
    ['GitLab', `glab mr create -t x -d '${good}'`, true],
    ['GitLab in an editor', 'glab mr create -t x -d -', true],
    ['GitLab in the browser', 'glab mr create --web', true],
    ['GitLab for a label', 'glab mr update 12 -l bug', true],
    ['Azure', "az repos pr create --title x --description '## Testing' ok '## Risk' none '## How to revert' x", true],
    ['Azure for a status', 'az repos pr update --id 12 --draft true', true],
    ['an unknown body', 'gh pr create -t x --body "$BODY"', true],
    ['an unknown file', 'gh pr create -t x --body-file "$FILE"', true],
    [
      'GraphQL',
      `gh api graphql -f query='mutation($b:String){createPullRequest(input:{title:"x",body:$b}){x}}' -f b='${good}'`,
      true,
    ],
    [
      'GraphQL with an unknown body',
      `gh api graphql -f query='mutation($b:String){createPullRequest(input:{body:$b}){x}}' -f b="$B"`,
      true,
    ],
    [
      'GraphQL for a title',
      `gh api graphql -f query='mutation{updatePullRequest(input:{pullRequestId:"P",title:"y"}){x}}'`,
      true,
    ],
    [
      'GraphQL that asks for bodies',
      `gh api graphql -f query='query{repository(name:"a"){pullRequest(number:1){body}}}'`,
      true,
    ],
    [
      'a push option',
      "git push -o merge_request.create -o merge_request.description='## Testing\\nok\\n## Risk\\nlow\\n## How to revert\\nx'",
      true,
    ],
    ['a push option for a label', 'git push -o merge_request.label=bug', true],
    ['a revert with a body', `gh pr revert 12 -b '${good}'`, true],
    ['Gitea', `tea pr create -t x -d '${good}'`, true],
    ['hub', `hub pull-request -m 'Title' -m '${good}'`, true],
    ['a ready merge request', 'glab mr update 12 --ready', true],
    ['a pull request that is recovered', 'gh pr create --recover file', true],
    ['a generated file', 'make body.md && gh pr create -t x --body-file body.md', true],
    ['unknown options', 'gh pr create $OPTIONS', true],
    ['the browser', 'gh pr create --web', true],
    ['a rehearsal', 'gh pr create --fill --dry-run', true],
    ['fill with a body', `gh pr create --fill --body '${good}'`, true],
    ['help', 'gh pr create --help', true],
    ['another repo', 'gh pr create -R other/repo --fill', true],
    ['an edit of the title', 'gh pr edit 12 --title y', true],
    ['an edit of labels', 'gh pr edit --add-label bug -B main', true],
    ['an edit with a good body', `gh pr edit 12 -b '${good}'`, true],
    ['a list', 'gh pr list', true],
    ['an issue', 'gh issue create --body x --title y', true],
    ['text', 'echo gh pr create --fill', true],
    ['no body', 'gh pr create', false],
    ['only a title', 'gh pr create --title "Add a board" --draft', false],
    ['the other name', 'gh pr new --title x', false],
    ['fill', 'gh pr create --fill', false],
    ['a short fill among others', 'gh pr create -df', false],
    ['fill-verbose', 'gh pr create --fill-verbose', false],
    ['this repo by name', 'gh pr create -R acme/app --fill', false],
    ['the repo before the command', 'gh -R acme/app pr create --fill', false],
    ['a body without headings', 'gh pr create --title x --body "It works."', false],
    ['a body with one heading', "gh pr create --body '## Testing\nok'", false],
    ['a bad file', 'gh pr create -t x -F bad.md', false],
    [
      'a bad file that the command writes first',
      "echo done > body.md; printf '## Risk\n' > body.md; cat > body.md <<'EOF'\nshort\nEOF\ngh pr create -F body.md",
      false,
    ],
    ['a bad file that echo writes first', "echo '## Testing' > body.md && gh pr create -t x -F body.md", false],
    ['a bad file that a group writes', "(echo '## Testing'; echo done) > b.md; gh pr create -t x -F b.md", false],
    [
      'a good file that is written over',
      `printf '%s' '${good}' > b.md; echo short > b.md; gh pr create -F b.md`,
      false,
    ],
    ['a short body in a pipe', 'echo short | gh pr create -t x -F -', false],
    ['a short body in a variable', 'BODY="It works."; gh pr create -t x -b "$BODY"', false],
    ['the API without a body', 'gh api repos/acme/app/pulls -f title=x -f head=feat/a -f base=main', false],
    ['the API with a short body', 'gh api repos/{owner}/{repo}/pulls -f title=x -f body=short', false],
    ['the API with JSON', `gh api repos/acme/app/pulls --input - <<< '{"title":"x","body":"short"}'`, false],
    ['the API for a body', 'gh api -X PATCH repos/acme/app/pulls/12 -f body=short', false],
    [
      'GraphQL with a short body',
      `gh api graphql -f query='mutation{createPullRequest(input:{title:"x",body:"short"}){x}}'`,
      false,
    ],
    [
      'GraphQL without a body',
      `gh api graphql -f query='mutation{createPullRequest(input:{title:"x"}){pullRequest{body}}}'`,
      false,
    ],
    [
      'GraphQL with an object of variables',
      `gh api graphql --input - <<< '{"query":"mutation($i:I!){createPullRequest(input:$i){x}}","variables":{"i":{"body":"short"}}}'`,
      false,
    ],
    [
      'GraphQL for a body',
      `gh api graphql -f query='mutation{updatePullRequest(input:{pullRequestId:"P",body:"x"}){x}}'`,
      false,
    ],
    ['GitLab by API', 'glab api projects/:id/merge_requests -f title=x -f description=short', false],
    ['GitLab by a form', 'curl https://gitlab.com/api/v4/projects/acme%2Fapp/merge_requests -d title=x', false],
    ['GitLab by API for a body', 'glab api -X PUT projects/:id/merge_requests/1 -f description=short', false],
    ['GitLab for an issue', 'glab mr for 12', false],
    [
      'a push option',
      'git push -o merge_request.create -o merge_request.description="x" -o merge_request.title=t',
      false,
    ],
    ['push options without a body', 'git push -o merge_request.create', false],
    ['a push option for a body', 'git push -o merge_request.description=short', false],
    ['a revert', 'gh pr revert 12', false],
    ['Gitea with a short body', 'tea pr create -t x -d y', false],
    ['hub with a short body', "hub pull-request -m 'Title' -m body", false],
    ['httpie without a scheme', 'http POST api.github.com/repos/acme/app/pulls title=x body=short', false],
    ['curl', `curl -d '{"title":"x","body":"short"}' https://api.github.com/repos/acme/app/pulls`, false],
    ['GitLab with a short body', 'glab mr create -t x -d short', false],
    ['GitLab without a body', 'glab mr create -t x -y', false],
    ['GitLab from commits', 'glab mr create --fill', false],
    ['GitLab for a body', 'glab mr update 12 --description=short', false],
    ['Azure with a short body', 'az repos pr create --title x --description short', false],
    ['Azure without a body', 'az repos pr create --title x', false],
    ['an edit with a bad body', 'gh pr edit 12 --body short', false],
    ['headings in a comment', "gh pr create -t x -b $'<!--\\n## Testing\\n## Risk\\n## How to revert\\n-->'", false],
    ['the empty file', 'gh pr create -t x --body-file=/dev/null', false],
    ['an empty body', "gh pr create -t x -b ''", false],
    ['a template', 'gh pr create -t x --template pr.md', false],
    ['a value that looks like an option', 'gh pr create -t --web', false],
  ])('%s', (_name, command, isFine) => {
    expect(breachOf('pr-body', judgeScript(command, config, { files })) === undefined).toBe(isFine);
  });

  it('keeps the rest of the call', () => {
    const instead = (command: string) => breachOf('pr-body', judgeScript(command, config))?.instead.split('\n')[1];
    expect(instead('gh pr create -df -B main --label="a b"')).toBe(
      "gh pr create -d -B main '--label=a b' --title 'what this changes' --body \"$(cat <<'EOF'",
    );
    expect(instead('gh pr create -t "Add a board" -b ""')).toBe("gh pr create -t 'Add a board' --body \"$(cat <<'EOF'");
    expect(instead('gh api repos/acme/app/pulls -f title=x -f base=main -f body=')).toBe(
      "gh pr create --title x --base main --body \"$(cat <<'EOF'",
    );
    expect(instead('glab mr create --fill -b main')).toBe(
      "glab mr create -b main --title 'what this changes' --description \"$(cat <<'EOF'",
    );
    expect(instead('az repos pr create --title x --description "" --draft')).toBe(
      "az repos pr create --title x --draft --description \"$(cat <<'EOF'",
    );
    expect(instead('git push -o merge_request.create -o merge_request.target=main -o merge_request.title="a b"')).toBe(
      "glab mr create --push --title 'a b' --target-branch main --description \"$(cat <<'EOF'",
    );
    expect(instead('glab mr for 12')).toBe(
      "glab mr create --related-issue 12 --title 'what this changes' --description \"$(cat <<'EOF'",
    );
    expect(
      instead(`gh api graphql -f query='mutation{createPullRequest(input:{title:"a b",baseRefName:"main"}){x}}'`),
    ).toBe("gh pr create --title 'a b' --base main --body \"$(cat <<'EOF'");
    expect(instead('gh pr edit 12 --body=')).toBe("gh pr edit 12 --body \"$(cat <<'EOF'");
  });

  it('keeps the text that is there, and names what is missing', () => {
    expect(breachOf('pr-body', judgeScript("gh pr create -b '# Testing'", config))?.instead).toBe(
      'Keep the body that is there, and add to it `## Risk` and `## How to revert`, each on a line of its own, with what belongs there.',
    );
    expect(breachOf('pr-body', judgeScript("gh pr create -b ''", config))?.instead).toContain('## Testing\n\n…\n');
  });

  it('names what is missing and gives a body to fill in', () => {
    expect(breachOf('pr-body', judgeScript("gh pr create -b '# Testing'", config))).toMatchObject({
      problem: 'the pull request body lacks the headings Risk and How to revert',
      target: 'gh pr create',
    });
    const breach = breachOf('pr-body', judgeScript('gh pr create --fill', config));
    expect(breach?.instead).toContain(
      "gh pr create --title 'what this changes' --body \"$(cat <<'EOF'\n## Testing\n\n…\n\n## Risk\n\n…\n\n## How to revert\n\n…\nEOF\n)\"",
    );
  });
});

describe('headings', () => {
  it.each([
    ['any level', '# Testing\n###### Risk'],
    ['any case', '## TESTING\n## risk'],
    ['closing marks', '## Testing ##\n## Risk #'],
    ['a colon', '## Testing:\n## Risk :'],
    ['emphasis', '## **Testing**\n## _Risk_'],
    ['code marks', '## `Testing`\n## Risk'],
    ['a number', '## 1. Testing\n## 2) Risk'],
    ['a picture', '## 🧪 Testing\n## ⚠️ Risk'],
    ['underlines', 'Testing\n=======\n\nRisk\n---'],
    ['line ends of Windows', '## Testing\r\n\r\n## Risk\r\n'],
    ['more of them', '## What\n## Testing\n## Risk\n## Notes'],
  ])('count with %s', (_name, body) => expect(missingHeadings(body, ['Testing', 'Risk'])).toEqual([]));

  it.each([
    ['words in the text', 'Testing and Risk'],
    ['no space', '##Testing\n##Risk'],
    ['a code block', '```\n## Testing\n## Risk\n```'],
    ['a longer heading', '## Testing notes\n## Risky'],
    ['indented code', '    ## Testing\n    ## Risk'],
    ['bold lines', '**Testing**\n\n**Risk**'],
    ['nothing', ''],
  ])('do not count with %s', (_name, body) => {
    expect(missingHeadings(body, ['Testing', 'Risk'])).toEqual(['Testing', 'Risk']);
  });
});

it('has one sentence in the brief', () => {
  expect(prBody.brief?.(policyOf(config))).toBe(
    'The pull request body needs these headings: Testing, Risk, How to revert.',
  );
});
