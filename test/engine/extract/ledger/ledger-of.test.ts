import { describe, expect, it } from 'vitest'
import { logOf } from '../../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../../src/engine/extract/index-delta.ts'
import { ledgerOf } from '../../../../src/engine/extract/ledger/ledger-of.ts'
import { emptyIndex, mergeIndexes } from '../../../../src/model/facts/log-index.ts'
import { callsOf, type Message } from '../../../../src/model/types.ts'
import { call } from '../../../support/messages.ts'

let ids = 0
function step(toolName: string, input: unknown, value = 'ok'): Message[] {
  const id = `call-${ids++}`
  return [
    call(id, toolName, input),
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value } }] },
  ]
}
const edit = (path: string, before: string, after: string) =>
  step('edit', { path, edits: [{ oldText: before, newText: after }] })
const run = (command: string, output = '', exit = 0) => step('bash', { command }, `${output}\nexit code: ${exit}`)
const ledger = (...messages: Message[][]) => {
  const items = viewOf(logOf(messages.flat())).items.slice()
  return ledgerOf(mergeIndexes([indexDelta(items)]))
}
const shown = (...messages: Message[][]) =>
  ledger(...messages).files.map(({ path, state, standing }) => `${path} ${state} ${standing}`)

describe('a file of the ledger', () => {
  it('is one, however often it was edited, and has what it is now', () => {
    const { files } = ledger(
      edit('a.ts', 'function one() {', 'function two() {'),
      edit('a.ts', 'function two() {', 'function three() {'),
      edit('a.ts', '', 'function passing() {'),
      edit('a.ts', 'function passing() {', ''),
      edit('a.ts', 'function gone() {', ''),
      edit('a.ts', 'function body() {\n  return 1', 'function body() {\n  return 2'),
    )
    expect(files).toMatchObject([
      {
        path: 'a.ts',
        state: 'edited',
        edits: 6,
        added: [],
        removed: ['gone'],
        renamed: [{ from: 'one', to: 'three' }],
        changed: ['body'],
      },
    ])
    expect(files[0]?.hunks[0]?.text).toBe('-  return 1\n+  return 2'.replaceAll('  ', ''))
  })

  it('is what became of it', () => {
    expect(
      shown(
        step('write', { path: 'new.ts', content: 'x' }, 'Created new.ts'),
        edit('kept.ts', 'a', 'b'),
        edit('old.ts', 'a', 'b'),
        run('git mv old.ts moved.ts'),
        edit('back.ts', 'a', 'b'),
        run('git checkout -- back.ts'),
        run('rm dead.ts'),
        step('write', { path: 'scratch.ts', content: 'x' }, 'Created scratch.ts'),
        run('rm scratch.ts'),
        run("cat > fix.py <<'EOF'\nprint(1)\nEOF"),
        run('python fix.py; rm fix.py'),
        edit('over.ts', 'a', 'b'),
        run('mv over.ts.tmp over.ts'),
        run('npm start > /tmp/server.log'),
      ).toSorted(),
    ).toEqual([
      'back.ts reverted unchanged',
      'dead.ts deleted unknown',
      'kept.ts edited uncommitted',
      'moved.ts moved uncommitted',
      'new.ts created uncommitted',
      'over.ts edited uncommitted',
    ])
  })

  it('takes the edits along that it had under another name', () => {
    const { files } = ledger(edit('old.ts', '', 'function kept() {'), run('mv old.ts moved.ts'))
    expect(files).toMatchObject([{ path: 'moved.ts', from: 'old.ts', added: ['kept'] }])
  })

  it('has only what was done since it was set back', () => {
    const { files } = ledger(
      edit('a.ts', '', 'function lost() {'),
      run('git checkout -- a.ts'),
      edit('a.ts', '', 'function kept() {'),
    )
    expect(files).toMatchObject([{ state: 'edited', added: ['kept'] }])
    expect(files[0]?.hunks.length).toBe(1)
  })

  it.each([
    ['git checkout --theirs a.ts', 'theirs'],
    ['git checkout --theirs -- a.ts', 'theirs'],
    ['git checkout --ours a.ts && git add a.ts', 'ours'],
    ['git restore --ours a.ts', 'ours'],
  ])('is resolved with one side of a merge by `%s`, and not reverted', (command, side) => {
    const { files } = ledger(edit('a.ts', '', 'function perhapsGone() {'), run(command))
    expect(files).toMatchObject([{ path: 'a.ts', state: 'resolved', side, added: [], hunks: [] }])
  })

  it('is edited again after a conflict was resolved with one side', () => {
    const { files } = ledger(run('git checkout --theirs a.ts'), edit('a.ts', '', 'function mine() {'))
    expect(files).toMatchObject([{ state: 'edited', added: ['mine'] }])
  })

  it.each(['git checkout main a.ts', 'git checkout --merge a.ts', 'git checkout -p -- a.ts'])(
    'is not reverted by `%s`',
    (command) => {
      expect(ledger(edit('a.ts', 'a', 'b'), run(command)).files).toMatchObject([{ state: 'edited' }])
    },
  )

  it('is reverted only if the log shows that it was changed before', () => {
    expect(shown(run('git checkout -- a.ts'))).toEqual([])
    const dirty = run('git status --short', ' M a.ts')
    expect(shown(dirty, run('git checkout -- a.ts'))).toEqual(['a.ts reverted unchanged'])
    const made = run("cat > a.ts <<'EOF'\nx\nEOF")
    expect(shown(made, run('git checkout -- a.ts'))).toEqual(['a.ts reverted unchanged'])
  })

  it('is reverted if the commit before the reset does not have it', () => {
    const others = run('git add b.ts && git commit -m x', '[main 1a2b3c4] x')
    const reset = run('git checkout -- a.ts')
    expect(shown(edit('a.ts', 'a', 'b'), others, reset)).toEqual(['a.ts reverted unchanged'])
  })

  it('written as a whole has only what was written last', () => {
    const { files } = ledger(
      step('write', { path: 'a.ts', content: 'function one() {\nfunction two() {' }),
      step('write', { path: 'a.ts', content: 'function two() {\nfunction three() {' }),
    )
    expect(files[0]?.added.toSorted()).toEqual(['three', 'two'])
    expect(files[0]).toMatchObject({ isWhole: true, removed: [] })
  })
})

describe('a commit', () => {
  const committed = (hash: string, subject: string) => `[main ${hash}] ${subject}`

  it('has what was changed before it, and not what was changed since', () => {
    const { files, commits } = ledger(
      edit('a.ts', 'a', 'b'),
      edit('b.ts', 'a', 'b'),
      run('git add -A && git commit -m x', committed('1a2b3c4', 'x')),
      edit('b.ts', 'b', 'c'),
    )
    expect(files.map(({ path, standing, commit }) => [path, standing, commit?.hash])).toEqual([
      ['b.ts', 'uncommitted', undefined],
      ['a.ts', 'committed', '1a2b3c4'],
    ])
    expect(commits.map(({ subject }) => subject)).toEqual(['x'])
  })

  it('has only the paths that were staged for it', () => {
    expect(
      shown(
        edit('/w/src/a.ts', 'a', 'b'),
        edit('/w/src/b.ts', 'a', 'b'),
        edit('/w/docs/c.md', 'a', 'b'),
        run('git add src/a.ts ./docs'),
        run('git commit -m x', committed('1a2b3c4', 'x')),
      ),
    ).toEqual(['/w/src/b.ts edited uncommitted', '/w/docs/c.md edited committed', '/w/src/a.ts edited committed'])
  })

  it('that a file was set back to has it, without the edits since', () => {
    const { files } = ledger(
      edit('a.ts', '', 'function kept() {'),
      run('git commit -am x', committed('1a2b3c4', 'x')),
      edit('a.ts', '', 'function lost() {'),
      run('git checkout -- .'),
    )
    expect(files).toMatchObject([{ standing: 'committed', commit: { hash: '1a2b3c4' }, added: ['kept'] }])
  })

  it('that was amended is listed once', () => {
    const { commits } = ledger(
      edit('a.ts', 'a', 'b'),
      run('git commit -am x', committed('1a2b3c4', 'x')),
      run('git commit --amend -m y', committed('5d6e7f8', 'y')),
    )
    expect(commits.map(({ subject }) => subject)).toEqual(['y'])
  })

  it('that was not seen is not claimed, whatever git says of the folder', () => {
    const clean = run('git status', 'nothing to commit, working tree clean')
    expect(shown(edit('a.ts', 'a', 'b'), clean)).toEqual(['a.ts edited unknown'])
    expect(shown(clean, edit('a.ts', 'a', 'b'))).toEqual(['a.ts edited uncommitted'])
  })

  it('without a seen `git add` has a file only if git lists it, or the folder is clean since', () => {
    const commit = run('git commit -m x', committed('1a2b3c4', 'x'))
    const edited = edit('src/a.ts', 'a', 'b')
    expect(shown(edited, commit)).toEqual(['src/a.ts edited unknown'])
    expect(shown(edited, commit, run('git show --stat', ' src/a.ts | 2 +-'))).toEqual(['src/a.ts edited committed'])
    expect(shown(edited, commit, run('git status --short', ''))).toEqual(['src/a.ts edited committed'])
    expect(shown(edited, commit, run('git status --short', ' M src/a.ts'))).toEqual(['src/a.ts edited uncommitted'])
  })

  it('takes with -A and a path only what is in the path', () => {
    expect(
      shown(
        edit('src/a.ts', 'a', 'b'),
        edit('web/b.ts', 'a', 'b'),
        run('git add -A src/ && git commit -m x', committed('1a2b3c4', 'x')),
      ),
    ).toEqual(['web/b.ts edited uncommitted', 'src/a.ts edited committed'])
  })

  it('of several in one command line has what was staged right before it', () => {
    const both = run(
      'git add a.ts && git commit -m one && git add b.ts && git commit -m two',
      `${committed('1111111', 'one')}\n${committed('2222222', 'two')}`,
    )
    const earlier = run('git commit -m zero', committed('0000000', 'zero'))
    const { files } = ledger(earlier, edit('a.ts', 'a', 'b'), edit('b.ts', 'a', 'b'), both)
    expect(files.map(({ path, commit }) => `${path} ${commit?.hash}`).toSorted()).toEqual([
      'a.ts 1111111',
      'b.ts 2222222',
    ])
  })

  it('in another repository says nothing about this one', () => {
    const edited = edit('/w/project/a.ts', 'a', 'b')
    const commit = (folder: string) => run(`cd ${folder} && git add -A && git commit -m x`, committed('1a2b3c4', 'x'))
    expect(shown(edited, commit('/w/project'))).toEqual(['/w/project/a.ts edited committed'])
    expect(shown(edited, run('git -C /w/project log --oneline'), commit('/tmp/scratch'))).toEqual([
      '/w/project/a.ts edited uncommitted',
    ])
    expect(shown(edited, run('git -C /w/project log --oneline'), commit('/w/other'))).toEqual([
      '/w/project/a.ts edited uncommitted',
    ])
  })

  it('that was rebased has the hash that git lists since, or none', () => {
    const before = [
      edit('a.ts', 'a', 'b'),
      run('git add a.ts && git commit -m "Add a"', committed('1a2b3c4', 'Add a')),
      run('git rebase main', 'Successfully rebased'),
    ]
    const hashes = (...more: Message[][]) => ledger(...before, ...more).commits.map(({ hash }) => hash)
    expect(hashes()).toEqual([undefined])
    expect(hashes(run('git log --oneline -3', '5d6e7f8 Add a\n9999999 Start'))).toEqual(['5d6e7f8'])
  })

  it('that a pull put on top of others has its new hash; those before it keep theirs', () => {
    const merge = (hash: string) => run('git commit -m "Merge topic"', `[main ${hash}] Merge topic`)
    const list = (...messages: Message[][]) => ledger(...messages).commits.map(({ hash }) => hash)
    const pulled = run('git pull --rebase', 'Rebasing (1/1)\rSuccessfully rebased and updated refs/heads/main.')
    const work = run('git commit -m "Work"', '[main 2222222] Work')
    expect(list(merge('1111111'), work, pulled)).toEqual(['1111111', undefined])
    expect(list(merge('1111111'), work, pulled, run('git log --oneline -1', '3333333 Work'))).toEqual([
      '1111111',
      '3333333',
    ])
    const rebased = [merge('1111111'), run('git rebase main'), merge('4444444')]
    expect(list(...rebased, run('git log --oneline -1', '4444444 Merge topic'))).toEqual([undefined, '4444444'])
  })

  it('of a file that is ignored is not claimed, nor that it is missing', () => {
    const refused = 'The following paths are ignored by one of your .gitignore files:\nnotes.txt\nhint: Use -f'
    expect(shown(edit('notes.txt', 'a', 'b'), run('git add notes.txt', refused, 1))).toEqual([
      'notes.txt edited unknown',
    ])
    const created = step('write', { path: '.env', content: 'A=1' }, 'Created .env')
    expect(shown(created, run('git log --oneline'))).toEqual(['.env created unknown'])
    expect(shown(created, run('git status -s', '?? .env'))).toEqual(['.env created uncommitted'])
  })

  it('is not known in a session without git', () => {
    expect(shown(edit('a.ts', 'a', 'b'))).toEqual(['a.ts edited unknown'])
  })

  it('does not contain a file outside the repository, or one that is stashed', () => {
    expect(shown(edit('/w/a.ts', 'a', 'b'), edit('/tmp/x.py', 'a', 'b'), run('git stash'))).toEqual([
      '/w/a.ts edited stashed',
      '/tmp/x.py edited outside',
    ])
  })
})

describe('whether a file is committed', () => {
  const edited = (path: string) => edit(path, 'a', 'b')
  const created = (path: string) => step('write', { path, content: 'x' }, `Created ${path}`)
  const commit = (hash: string, how = 'git commit -m x') => run(how, `[main ${hash}] x`)
  const hashes = (...messages: Message[][]) =>
    ledger(...messages).files.map(({ path, standing, commit }) => `${path} ${standing} ${commit?.hash ?? ''}`.trim())

  it('is not known from a push alone', () => {
    expect(shown(edited('a.ts'), run('git push', 'main -> main'))).toEqual(['a.ts edited unknown'])
  })

  it('does not follow from a file of the same name in another folder', () => {
    expect(
      shown(edited('src/index.ts'), edited('web/index.ts'), run('git add web/index.ts'), commit('1111111')),
    ).toEqual(['src/index.ts edited uncommitted', 'web/index.ts edited committed'])
  })

  it.each([
    ['/w/src', '/w/src/a.ts'],
    ['../src/', '/w/src/a.ts'],
    ['v1.2/', '/w/v1.2/a.ts'],
    ['.github', '.github/workflows/ci.yml'],
  ])('follows from its folder: %s', (folder, path) => {
    expect(shown(edited(path), run(`git add ${folder}`), commit('1111111'))).toEqual([`${path} edited committed`])
  })

  it('follows from the first commit that took it, and from that one under its new hash', () => {
    const all = 'git add -A && git commit -m x'
    expect(hashes(edited('a.ts'), commit('1111111', all), commit('2222222', all))).toEqual(['a.ts committed 1111111'])
    expect(hashes(edited('a.ts'), commit('1111111', all), commit('2222222', 'git commit --amend -m x'))).toEqual([
      'a.ts committed 2222222',
    ])
    expect(hashes(edited('a.ts'), commit('2222222', 'git add b.ts && git commit --amend -m x'))).toEqual([
      'a.ts uncommitted',
    ])
  })

  it('does not follow from what was staged for an earlier commit', () => {
    const first = [edited('a.ts'), run('git add a.ts'), commit('1111111')]
    expect(hashes(...first, edited('a.ts'), commit('2222222'))).toEqual(['a.ts unknown'])
  })

  it('follows from `commit -a` only for a file that git knows', () => {
    const every = (hash: string) => commit(hash, 'git commit -am x')
    expect(hashes(created('a.ts'), every('1111111'))).toEqual(['a.ts unknown'])
    expect(hashes(created('a.ts'), commit('1111111', 'git add b.ts && git commit -m x'), every('2222222'))).toEqual([
      'a.ts unknown',
    ])
    const added = [created('a.ts'), commit('1111111', 'git add a.ts && git commit -m x')]
    expect(hashes(...added, edited('a.ts'), every('2222222'))).toEqual(['a.ts committed 2222222'])
    const listed = [created('a.ts'), run('git show --stat', ' a.ts | 1 +')]
    expect(hashes(...listed, every('2222222'))).toEqual(['a.ts committed 2222222'])
  })

  it('is said of a file that projects ignore once git has taken or listed it', () => {
    const forced = commit('1111111', 'git add -f .env && git commit -m x')
    expect(hashes(created('.env'), run('git log'), edited('.env'))).toEqual(['.env unknown'])
    expect(hashes(created('.env'), forced, edited('.env'))).toEqual(['.env uncommitted'])
    expect(hashes(created('.env'), run('git show --stat', ' .env | 1 +'), edited('.env'))).toEqual(['.env uncommitted'])
  })

  it('does not follow from a commit that was listed but not made after the change', () => {
    expect(hashes(edited('a.ts'), run('git show --stat', ' a.ts | 2 +-'))).toEqual(['a.ts uncommitted'])
  })

  it('is as before after a stash that was taken back, and a new file is in no stash', () => {
    expect(hashes(edited('a.ts'), run('git stash'), run('git stash pop'))).toEqual(['a.ts uncommitted'])
    expect(hashes(edited('a.ts'), commit('1111111', 'git commit -am x'), run('git stash; git stash pop'))).toEqual([
      'a.ts committed 1111111',
    ])
    expect(hashes(created('a.ts'), run('git stash'))).toEqual(['a.ts uncommitted'])
  })

  it('is as git lists it after a stash', () => {
    const stashed = [edited('a.ts'), run('git stash')]
    expect(hashes(...stashed)).toEqual(['a.ts stashed'])
    expect(hashes(...stashed, run('git status -s', ' M a.ts'))).toEqual(['a.ts uncommitted'])
    expect(hashes(edited('a.ts'), run('git status -s && git stash', ' M a.ts'))).toEqual(['a.ts stashed'])
    expect(hashes(edited('a.ts'), run('git log'), run('git stash && git pull && git stash pop'))).toEqual([
      'a.ts uncommitted',
    ])
  })

  it('follows a reset: the commits that it takes back have nothing', () => {
    const all = (hash: string) => commit(hash, 'git add -A && git commit -m x')
    const two = [edited('a.ts'), all('1111111'), edited('b.ts'), all('2222222')]
    const resetBy = (command: string) => hashes(...two, run(command)).toSorted()
    expect(resetBy('git reset --soft HEAD~1')).toEqual(['a.ts committed 1111111', 'b.ts uncommitted'])
    expect(resetBy('git reset HEAD~2')).toEqual(['a.ts uncommitted', 'b.ts uncommitted'])
    expect(resetBy('git reset 1111111')).toEqual(['a.ts committed 1111111', 'b.ts uncommitted'])
    expect(resetBy('git reset 9999999')).toEqual(['a.ts unknown', 'b.ts unknown'])
    expect(resetBy('git reset --hard HEAD~1').filter((line) => line.includes('2222222'))).toEqual([])
    expect(hashes(...two, run('git reset --soft HEAD~1'), commit('3333333')).toSorted()).toEqual([
      'a.ts committed 1111111',
      'b.ts committed 3333333',
    ])
    expect(hashes(...two, commit('3333333', 'git reset --soft HEAD~2 && git commit -m x')).toSorted()).toEqual([
      'a.ts committed 3333333',
      'b.ts committed 3333333',
    ])
    expect(ledger(...two, run('git reset HEAD~1')).commits.map(({ hash }) => hash)).toEqual(['1111111'])
  })

  it('follows from a commit without a name, and from a rebase that continues with what was staged', () => {
    expect(hashes(edited('a.ts'), run('git add a.ts && git commit -qF message.txt'))).toEqual(['a.ts committed'])
    expect(hashes(edited('a.ts'), run('git add a.ts'), run('git rebase --continue'))).toEqual(['a.ts committed'])
    expect(hashes(edited('a.ts'), run('git log'), run('git commit -qF message.txt'))).toEqual(['a.ts unknown'])
  })

  it('follows from `git add .` only in its folder', () => {
    const inFolder = run('cd web && git add . && git commit -m x', '[main 1111111] x')
    expect(hashes(edited('web/a.ts'), edited('api/b.ts'), inFolder).toSorted()).toEqual([
      'api/b.ts uncommitted',
      'web/a.ts committed 1111111',
    ])
    const absolute = run('cd /w/web && git add . && git commit -m x', '[main 1111111] x')
    expect(hashes(edited('/w/api/b.ts'), run('git -C /w log'), absolute)).toEqual(['/w/api/b.ts uncommitted'])
    expect(hashes(edited('src/a.ts'), absolute)).toEqual(['src/a.ts committed 1111111'])
  })

  it('depends on the repository that the file is in', () => {
    const all = (folder: string) => run(`cd ${folder} && git add -A && git commit -m x`, '[main 1111111] x')
    const known = (folder: string) => run(`git -C ${folder} log --oneline`)
    expect(shown(edited('/w/shop2/a.ts'), known('/w/shop2'), all('/w/shop'))).toEqual([
      '/w/shop2/a.ts edited uncommitted',
    ])
    expect(shown(edited('/w/sub/a.ts'), known('/w'), known('/w/sub'), all('/w/other'))).toEqual([
      '/w/sub/a.ts edited uncommitted',
    ])
    const trailing = step('exec_command', { cmd: 'git add -A && git commit -m x', workdir: '/w/' }, '[main 1111111] x')
    expect(shown(edited('/w/a.ts'), trailing)).toEqual(['/w/a.ts edited committed'])
    const inProject = run('git add -A && git commit -m x', '[main 1111111] x')
    const files = [edited('/w/a.ts'), edited('/w/b.ts'), edited('/tmp/try/c.ts')]
    expect(shown(...files, known('/tmp/try'), inProject).toSorted()).toEqual([
      '/tmp/try/c.ts edited uncommitted',
      '/w/a.ts edited committed',
      '/w/b.ts edited committed',
    ])
  })

  it('is the same for the two ways to write a drive', () => {
    const inBash = run('cd /d/shop && git add -A && git commit -m x', '[main 1111111] x')
    expect(shown(edited('D:/shop/a.ts'), inBash)).toEqual(['D:/shop/a.ts edited committed'])
    expect(shown(edited('D:/other/a.ts'), run('git -C /d/other log'), inBash)).toEqual([
      'D:/other/a.ts edited uncommitted',
    ])
  })
})

it('a project in a folder for temporary files is not scratch, but a file beside it is', () => {
  expect(
    shown(edit('/tmp/project/a.ts', 'a', 'b'), edit('/tmp/x.py', 'a', 'b'), edit('~/.bashrc', 'a', 'b')).toSorted(),
  ).toEqual(['/tmp/project/a.ts edited unknown', '/tmp/x.py edited outside', '~/.bashrc edited outside'])
})

describe('a check', () => {
  const checks = (...messages: Message[][]) =>
    ledger(...messages).files.map(({ path, check }) => [path, check?.command, check?.ok, check?.tests?.passed])

  it('counts for a file when it ran since its last change', () => {
    expect(
      checks(
        edit('a.ts', 'a', 'b'),
        run('npm test', 'Tests  3 passed (3)'),
        run('npm run lint'),
        edit('b.ts', 'a', 'b'),
      ).toSorted(),
    ).toEqual([
      ['a.ts', 'npm test', true, 3],
      ['b.ts', undefined, undefined, undefined],
    ])
  })

  it('that failed is shown as failed, also behind a filter', () => {
    expect(checks(edit('a.ts', 'a', 'b'), run('npm test 2>&1 | tail', 'Tests  1 failed | 3 passed (4)'))).toEqual([
      ['a.ts', 'npm test 2>&1 | tail', false, 3],
    ])
    expect(checks(edit('a.go', 'a', 'b'), run('go vet ./...', 'x', 1))).toEqual([
      ['a.go', 'go vet ./...', false, undefined],
    ])
  })

  it.each([
    ['a document', 'README.md', 'npm test', false],
    ['code', 'src/a.ts', 'npm test', true],
    ['code of another language', 'tools/a.py', 'go test ./...', false],
    ['a file of the package', 'pkg/a.go', 'go test ./pkg/...', true],
    ['a file of another package', 'cmd/a.go', 'go test ./pkg/...', false],
    ['a file of a package of which some tests ran', 'pkg/a.go', 'go test ./pkg -run TestA', false],
    ['a test file that ran', 'test/a.test.ts', 'npx vitest run test/a.test.ts', true],
    ['a file beside a test that ran', 'src/b.ts', 'npx vitest run test/a.test.ts', false],
    ['a file of the workspace', 'packages/web/a.ts', 'npm test -w web', true],
    ['a file of another workspace', 'packages/api/a.ts', 'npm test -w web', false],
    ['a file in the folder of the run', '/w/web/a.ts', 'cd /w/web && npm test', true],
    ['a file beside the folder of the run', '/w/api/a.ts', 'cd /w/web && npm test', false],
    ['a document that is formatted', 'README.md', 'npx prettier --check README.md', true],
    ['a file in the folder of the run, by its end', 'web/src/a.ts', 'cd web && npm test', true],
    ['a file beside that folder', 'api/src/a.ts', 'cd web && npm test', false],
    ['a file in a folder around the run', '../web/a.ts', 'cd .. && npm test', true],
    ['a file with a path from the project', 'src/a.ts', 'cd /w/web && npm test', true],
    ['a file after a run in a nested shell', 'src/a.ts', '(cd web && npm ci) && npm test', true],
    ['a file if the folder is not known', 'src/a.ts', 'cd "$DIR" && npx vitest run src/a.ts', true],
    ['a test file of which some tests ran', 'test/a.test.ts', 'npx vitest run test/a.test.ts -t adds', true],
    ['a file if only tests of some names ran', 'src/a.ts', 'npx vitest run -t adds', false],
    ['a file of the workspace, with =', 'packages/web/a.ts', 'npm test --workspace=web', true],
    ['a file of another workspace, with =', 'packages/api/a.ts', 'npm test --workspace=web', false],
    ['a file of a package with a scope', 'packages/web/a.ts', 'pnpm --filter @shop/web test', true],
    ['a file of another package of that scope', 'packages/api/a.ts', 'pnpm --filter @shop/web test', false],
    ['code of another language, by a path', 'tools/a.py', 'node_modules/.bin/vitest run', false],
    ['code after a name and its value', 'test/b.test.ts', 'npx vitest run -t=adds test/b.test.ts', true],
  ])('of %s: %s after `%s`', (_, path, command, isCovered) => {
    expect(ledger(edit(path, 'a', 'b'), run(command)).files[0]?.check?.command).toBe(isCovered ? command : undefined)
  })

  it.each([
    ['after the change', "sed -i 's/a/b/' a.ts && npm test"],
    ['before the change', "npm test && sed -i 's/a/b/' a.ts"],
  ])('that the command of the change itself ran, %s, is neither claimed nor denied', (_, command) => {
    const { files, checks } = ledger(run(command, 'Tests  4 passed (4)'))
    expect(checks).toMatchObject([{ ok: true }])
    expect(files).toMatchObject([{ path: 'a.ts', isUnchecked: false, check: undefined }])
  })

  it('that one message calls beside the edit is neither claimed nor denied', () => {
    const [edited, changed] = edit('a.ts', 'a', 'b')
    const [tested, passed] = run('npm test', 'Tests  4 passed (4)')
    const calls = [edited, tested].flatMap((each) => (each === undefined ? [] : callsOf(each)))
    const together = [{ role: 'assistant', content: calls }, changed, passed] as Message[]
    expect(ledger(together).files).toMatchObject([{ path: 'a.ts', isUnchecked: false, check: undefined }])
  })

  it('that changed files itself, as its tool lists them, is not denied for those', () => {
    const log = logOf(run('npm run format && npm test', 'Tests  4 passed (4)')).map((entry) =>
      entry.type === 'message' && entry.message.role === 'tool'
        ? { ...entry, files: [{ path: 'a.ts', access: 'modified' as const }] }
        : entry,
    )
    const { files } = ledgerOf(mergeIndexes([indexDelta(viewOf(log).items.slice())]))
    expect(files).toMatchObject([{ path: 'a.ts', isUnchecked: false, check: undefined }])
  })

  it('that did not cover a file is not denied either: it is unchecked only if nothing ran', () => {
    const unchecked = (...messages: Message[][]) => ledger(...messages).files.map(({ isUnchecked }) => isUnchecked)
    expect(unchecked(edit('cmd/a.go', 'a', 'b'))).toEqual([true])
    expect(unchecked(edit('cmd/a.go', 'a', 'b'), run('go test ./pkg'))).toEqual([false])
    expect(unchecked(edit('README.md', 'a', 'b'))).toEqual([true])
  })

  it.each([
    '/usr/bin/bash: line 1: cd: web: No such file or directory',
    'zsh:cd:1: no such file or directory: web',
    'cd: no such file or directory: web',
    "sh: 1: cd: can't cd to web",
  ])('did not pass if its folder was not found: %s', (printed) => {
    const checked = (output: string) =>
      ledger(edit('web/a.ts', 'a', 'b'), run('cd web && npm test; echo done', output)).checks.map(({ ok }) => ok)
    expect(checked(`12 passed\ndone`)).toEqual([true])
    expect(checked(`${printed}\ndone`)).toEqual([undefined])
  })

  it('that was still running has the end that a later call shows', () => {
    const started = step(
      'exec_command',
      { cmd: 'go test ./...', workdir: '/w' },
      'Process running with session ID 41\nOutput:\n',
    )
    const waited = (output: string) => step('write_stdin', { session_id: 41 }, output)
    const ends = (...messages: Message[][]) => ledger(...messages).checks.map(({ command, ok }) => `${command} ${ok}`)
    expect(ends(started)).toEqual(['go test ./... undefined'])
    expect(ends(started, waited('Process running with session ID 41\nOutput:\n'))).toEqual(['go test ./... undefined'])
    expect(ends(started, waited('Process exited with code 0\nOutput:\nok'))).toEqual(['go test ./... true'])
    expect(ends(started, waited('Process exited with code 1\nOutput:\nFAIL'))).toEqual(['go test ./... false'])
    const background = step(
      'Bash',
      { command: 'npm test' },
      'Command running in background with ID: b1. Output is being written to: x',
    )
    expect(ends(background)).toEqual(['npm test undefined'])
    expect(
      ends(background, step('TaskOutput', { task_id: 'b1' }, '<status>completed</status>\n<exit_code>0</exit_code>')),
    ).toEqual(['npm test true'])
    const job = step(
      'bash',
      { command: 'npm test', background: true },
      'Command running in background with ID: job1 (for 2 s; its output so far)\n(no output)',
    )
    expect(ends(job, step('job', { id: 'job1' }, '2 failed\n[exit code: 1]'))).toEqual(['npm test false'])
  })
})

it('pushes and pull requests are published, other commands of git are not', () => {
  const url = 'https://github.com/a/b/pull/12'
  const { published } = ledger(
    run('git add -A && git commit -m x', '[main 1111111] x'),
    run('git push', '   1111111..2222222  main -> main'),
    run('gh pr create --fill', url),
    run('git status -s', ''),
  )
  expect(published).toMatchObject([
    { kind: 'pushed', branch: 'main' },
    { kind: 'opened', url },
  ])
})

it('an index of an earlier version has a ledger too', () => {
  expect(ledgerOf(emptyIndex)).toEqual({ files: [], commits: [], checks: [], published: [] })
  const files = [{ path: 'a.ts', access: 'modified', seq: 3 } as const]
  expect(ledgerOf({ ...emptyIndex, files }).files).toMatchObject([{ path: 'a.ts', state: 'edited', seq: 3, edits: 1 }])
})

it('the ledger of an index with more files than an earlier one that it shares facts with has them all', () => {
  const [a, b] = (['a.ts', 'b.ts'] as const).map((path, i) => ({
    path,
    access: 'modified' as const,
    seq: i,
    modified: i,
  }))
  if (a === undefined || b === undefined) throw new Error('two files are missing')
  const paths = (files: (typeof a)[]) => ledgerOf({ ...emptyIndex, files }).files.map(({ path }) => path)
  expect(paths([a])).toEqual(['a.ts'])
  expect(paths([a, b]).toSorted()).toEqual(['a.ts', 'b.ts'])
  expect(paths([a])).toEqual(['a.ts'])
})
