/** Every rule on, at its strictest. */
export const strictest = (javascript = 'bun', python = 'uv'): string => `
[package_managers]
javascript = "${javascript}"
python = "${python}"

[git]
protected_branch = ["main", "release/*"]
branch_name = { pattern = "^(feat|fix|chore)/[a-z0-9-]+$", example = "feat/deal-pipeline" }
commit_message = "conventional"
block_force_push = true
block_hook_skips = true
block_protected_commits = true
worktree_only = true

[files]
protected = [".env*", "{bun.lock,package-lock.json,pnpm-lock.yaml,yarn.lock,uv.lock,Cargo.lock,go.sum}", "migrations/**"]
allow = [".env.example"]

[commands]
blocked = [
  "prisma db push",
  { command = "terraform apply", reason = "Infrastructure changes go through CI.", instead = "terraform plan" },
]

[review]
required = true

[pull_request]
headings = ["Testing", "Risk"]
agents_may_approve = false
`;
