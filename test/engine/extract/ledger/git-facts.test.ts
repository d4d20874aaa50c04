import { describe, expect, it } from 'vitest'
import { gitFacts } from '../../../../src/engine/extract/ledger/git-facts.ts'

const facts = (command: string, output = '', ok: boolean | undefined = true) => gitFacts({ command, output, ok }, 7)

describe('commits', () => {
  it.each([
    [
      'git commit -m "Add a"',
      '[main 1a2b3c4] Add a\n 1 file changed',
      { hash: '1a2b3c4', branch: 'main', subject: 'Add a' },
    ],
    [
      'git add . && git commit -m x',
      '[main (root-commit) 1a2b3c4] x',
      { hash: '1a2b3c4', branch: 'main', subject: 'x' },
    ],
    ['git commit -m x', '[detached HEAD 1a2b3c4] x', { hash: '1a2b3c4', branch: 'HEAD', subject: 'x' }],
    [
      'git commit --amend --no-edit',
      '[t/a 1a2b3c4] x',
      { hash: '1a2b3c4', branch: 't/a', subject: 'x', amended: true },
    ],
    [
      'git revert --no-edit HEAD',
      '[main 1a2b3c4] Revert "x"',
      { hash: '1a2b3c4', branch: 'main', subject: 'Revert "x"' },
    ],
    ['git commit -qm "Add a"', '', { subject: 'Add a' }],
    [
      'git commit -q -m "Add a" && git log --oneline -1',
      '1a2b3c4 (HEAD -> main) Add a',
      { hash: '1a2b3c4', subject: 'Add a' },
    ],
    ["git commit -qm ' Add a '", '', { subject: 'Add a' }],
    [
      'git commit -qm "Add a" && git log --oneline -2',
      '5d6e7f8 Before: Add a\n1a2b3c4 Add a',
      { hash: '1a2b3c4', subject: 'Add a' },
    ],
    [
      `git commit -qm "${'a'.repeat(70)}" && git log --oneline -1`,
      `1a2b3c4 ${'a'.repeat(64)}…`,
      { hash: '1a2b3c4', subject: 'a'.repeat(70) },
    ],
    [`git add a && git commit -q -F - <<'EOF'\nAdd a\n\nBecause.\nEOF\ngit log -1`, '', { subject: 'Add a' }],
    [`git commit -q -m "$(cat <<'EOF'\nAdd a\n\nBecause.\nEOF\n)"`, '', { subject: 'Add a' }],
  ])('%s', (command, output, commit) => expect(facts(command, output).commits).toEqual([{ seq: 7, ...commit }]))

  it.each([
    ['git commit -m x', 'On branch main\nnothing to commit, working tree clean', true],
    ['git commit -m x', 'no changes added to commit', true],
    ['git commit -m x', 'husky - pre-commit hook exited with code 1', false],
    ['git log -3', '[main 1a2b3c4] x', true],
    ['echo "git commit -m x"', '', true],
    ['git commit --dry-run -m x', '', true],
  ])('%s that says %j makes none', (command, output, ok) => expect(facts(command, output, ok).commits).toBeUndefined())
})

describe('what else happens to the repository', () => {
  it.each([
    [
      'git add src/a.ts b.ts && git commit -m x',
      '[main 1a2b3c4] x',
      [{ kind: 'staged', seq: 7, paths: ['src/a.ts', 'b.ts'] }],
    ],
    ['git -C sub add -A', '', [{ kind: 'staged', seq: 7, paths: [] }]],
    ['git commit -am x', '[main 1a2b3c4] x', [{ kind: 'staged', seq: 7, paths: [], tracked: true }]],
    ['git commit -m x -- a.ts', '[main 1a2b3c4] x', [{ kind: 'staged', seq: 7, paths: ['a.ts'] }]],
    ['git push', '   1a2b3c4..5d6e7f8  main -> main', [{ kind: 'pushed', seq: 7, branch: 'main' }]],
    ['git push -u origin t', ' * [new branch]      t -> t', [{ kind: 'pushed', seq: 7, branch: 't' }]],
    ['git push', ' ! [rejected]        main -> main (fetch first)\nerror: failed to push', undefined],
    [
      'gh pr create --fill',
      'https://github.com/a/b/pull/12',
      [{ kind: 'opened', seq: 7, url: 'https://github.com/a/b/pull/12' }],
    ],
    [
      'git push && gh pr create --fill',
      'To https://github.com/a/b.git\nhttps://github.com/a/b/pull/12',
      [
        { kind: 'pushed', seq: 7 },
        { kind: 'opened', seq: 7, url: 'https://github.com/a/b/pull/12' },
      ],
    ],
    ['git stash drop', '', [{ kind: 'unstashed', seq: 7 }]],
    ['git status', 'nothing to commit, working tree clean', [{ kind: 'status', seq: 7, paths: [], whole: true }]],
    [
      'git status --short',
      ' M src/a.ts\nR  b.ts -> c.ts\n?? docs/\n D "d e.ts"',
      [{ kind: 'status', seq: 7, paths: ['src/a.ts', 'b.ts', 'c.ts', 'docs', 'd e.ts'], whole: true }],
    ],
    [
      'git status',
      'On branch main\nChanges not staged for commit:\n\tmodified:   a.ts\n\nUntracked files:\n  (use "git add")\n\tnew.ts\n\nno changes added',
      [{ kind: 'status', seq: 7, paths: ['a.ts', 'new.ts'], whole: true }],
    ],
    ['git status --short src', ' M src/a.ts', [{ kind: 'status', seq: 7, paths: ['src/a.ts'] }]],
    ['git status --short', '', [{ kind: 'status', seq: 7, paths: [], whole: true }]],
    ['cd web && git status -s', ' M a.ts', [{ kind: 'status', seq: 7, paths: ['web/a.ts'], whole: true }]],
    ['git diff --name-only', 'a.ts\nb.ts', [{ kind: 'status', seq: 7, paths: ['a.ts', 'b.ts'] }]],
    ['git diff --stat main..topic', ' a.ts | 2 +-', undefined],
    ['git diff --stat stash@{0}', ' a.ts | 2 +-', undefined],
    ['cd web && git add .', '', [{ kind: 'staged', seq: 7, paths: ['web/'] }]],
    [
      'git pull --rebase',
      'Successfully rebased and updated refs/heads/t.',
      [
        { kind: 'rewritten', seq: 7 },
        { kind: 'logged', seq: 7, commits: [] },
      ],
    ],
    [
      'git pull',
      'Rebasing (1/2)\rRebasing (2/2)\rSuccessfully rebased and updated refs/heads/t.',
      [
        { kind: 'rewritten', seq: 7, commits: 2 },
        { kind: 'logged', seq: 7, commits: [] },
      ],
    ],
    ['git pull --rebase', 'Already up to date.', undefined],
    ['git pull', 'Fast-forward', undefined],
    [
      'git -C /w/x rebase main',
      '',
      [
        { kind: 'rewritten', seq: 7, folder: '/w/x' },
        { kind: 'logged', seq: 7, folder: '/w/x', commits: [] },
      ],
    ],
    ['git check-ignore -v a.log', 'a.log', [{ kind: 'ignored', seq: 7, paths: ['a.log'] }]],
    ['git check-ignore -v a.log', '.gitignore:3:*.log\ta.log', undefined],
    ['git add -u && git commit -m x', '[main 1a2b3c4] x', [{ kind: 'staged', seq: 7, paths: [], tracked: true }]],
    ['git add --all', '', [{ kind: 'staged', seq: 7, paths: [] }]],
    ['git add . a.ts', '', [{ kind: 'staged', seq: 7, paths: [] }]],
    ['git add src/*.ts', '', undefined],
    ['git add a.ts "$file"', '', undefined],
    ['git --no-pager -c core.pager=cat add a.ts', '', [{ kind: 'staged', seq: 7, paths: ['a.ts'] }]],
    ['A=1 && git add a.ts && npm add b', '', [{ kind: 'staged', seq: 7, paths: ['a.ts'] }]],
    [
      '(cd /w/web && git add a.ts); git add b.ts',
      '',
      [
        { kind: 'staged', seq: 7, folder: '/w/web', paths: ['/w/web/a.ts'] },
        { kind: 'staged', seq: 7, paths: ['b.ts'] },
      ],
    ],
    ['pushd /w && git rm a.ts', '', [{ kind: 'staged', seq: 7, folder: '/w', paths: ['/w/a.ts'] }]],
    [
      'pushd web && git add a.ts && popd && git add b.ts',
      '',
      [
        { kind: 'staged', seq: 7, paths: ['web/a.ts'] },
        { kind: 'staged', seq: 7, paths: ['b.ts'] },
      ],
    ],
    ['case x in x) git add a.ts;; esac', '', [{ kind: 'staged', seq: 7, paths: ['a.ts'] }]],
    ['git commit -nm x', '', [{ kind: 'took', seq: 7 }]],
    ['git commit --file x --date y', '', [{ kind: 'took', seq: 7 }]],
    ['git commit --dry-run --file x', '', undefined],
    ['git commit --file x', 'nothing to commit, working tree clean', undefined],
    ['git reset --hard HEAD~1', '', [{ kind: 'rewritten', seq: 7, reset: { mode: 'hard', commits: 1 } }]],
    ['git reset --soft HEAD~3', '', [{ kind: 'rewritten', seq: 7, reset: { mode: 'soft', commits: 3 } }]],
    ['git reset HEAD^^', '', [{ kind: 'rewritten', seq: 7, reset: { mode: 'mixed', commits: 2 } }]],
    ['git reset 1a2b3c4', '', [{ kind: 'rewritten', seq: 7, reset: { mode: 'mixed', to: '1a2b3c4' } }]],
    ['git reset --hard origin/main', '', [{ kind: 'rewritten', seq: 7, reset: { mode: 'hard' } }]],
    ['git reset HEAD~1 -- a.ts', '', undefined],
    ['git reset a.ts', '', undefined],
    ['git status -s | head -1', ' M a.ts', [{ kind: 'status', seq: 7, paths: ['a.ts'] }]],
    [
      'git log --stat -1 && git status -s | head -1',
      '1a2b3c4 x\n a.ts | 2 +-\n M b.ts',
      [
        { kind: 'shown', seq: 7, paths: ['a.ts'] },
        { kind: 'logged', seq: 7, commits: [{ hash: '1a2b3c4', subject: 'x' }] },
        { kind: 'logged', seq: 7, commits: [] },
      ],
    ],
    [
      'git log --name-status -1',
      '1a2b3c4 x\nM\ta.ts',
      [
        { kind: 'shown', seq: 7, paths: ['a.ts'] },
        { kind: 'logged', seq: 7, commits: [{ hash: '1a2b3c4', subject: 'x' }] },
      ],
    ],
    ['git log -1', 'M\ta.ts', [{ kind: 'logged', seq: 7, commits: [] }]],
    ['gh pr create --fill', 'Aborted', undefined],
    ['git stash push -m x', '', [{ kind: 'stashed', seq: 7 }]],
    ['git stash', '', [{ kind: 'stashed', seq: 7 }]],
    ['git stash pop', '', [{ kind: 'unstashed', seq: 7 }]],
    ['git stash list', '', undefined],
    ['ls', 'nothing to commit, working tree clean', undefined],
  ])('%s', (command, output, git) => expect(facts(command, output).git).toEqual(git))

  it.each(['git rm a.ts', 'git reset HEAD~1', 'git rebase main', 'git push'])(
    'is nothing if it failed: %s',
    (command) => expect(facts(command, '', false).git).toBeUndefined(),
  )

  it('includes the rest of a `git add` that refused an ignored file, unless git stopped', () => {
    const refused = 'The following paths are ignored by one of your .gitignore files:\nb.log\nhint: Use -f'
    const ignored = { kind: 'ignored', seq: 7, paths: ['b.log'] }
    const staged = { kind: 'staged', seq: 7, paths: ['a.ts', 'b.log'] }
    expect(facts('git add a.ts b.log', refused, false).git).toEqual([ignored, staged])
    expect(facts('git add a.ts', 'fatal: not a git repository', false).git).toBeUndefined()
    const pushed = '[main 1a2b3c4] x\n ! [rejected] main -> main\nerror: failed to push some refs'
    expect(facts('git add a.ts && git commit -m x && git push', pushed, false).git).toEqual([
      { kind: 'staged', seq: 7, paths: ['a.ts'] },
    ])
  })
})
