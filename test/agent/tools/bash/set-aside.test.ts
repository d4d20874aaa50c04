import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Permit } from '../../../../src/agent/agent.ts'
import { type NeverRule, openSandbox } from '../../../../src/agent/sandbox/sandbox.ts'
import { NO_LOG, type PermissionRequest } from '../../../../src/agent/tool.ts'
import { bash } from '../../../../src/agent/tools/bash/bash.ts'

const probe = await openSandbox('on', realpathSync(tmpdir()), process.env)
if (probe === undefined) console.warn('Not tried: no sandbox works here.')

type World = {
  readonly workspace: string
  readonly asked: PermissionRequest[]
  readonly run: (command: string) => Promise<string>
  readonly has: (path: string) => boolean
}

/** A workspace whose user gives one answer to all questions. */
async function world(
  answer: Permit,
  { files = {}, never = [] }: { files?: Readonly<Record<string, string>>; never?: readonly NeverRule[] } = {},
): Promise<World> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pith-aside-')))
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  const sandbox = await openSandbox('on', workspace, process.env)
  const asked: PermissionRequest[] = []
  const permit = async (request: PermissionRequest) => {
    asked.push(request)
    return answer
  }
  const run = async (command: string) => {
    const { signal } = new AbortController()
    const env = process.env as Record<string, string>
    const context = { workspace, sandbox, never: () => never, permit, signal, env, ...NO_LOG }
    return (await bash.run({ command }, context)).text
  }
  return { workspace, asked, run, has: (path) => existsSync(join(workspace, path)) }
}

const YES: Permit = { ok: true }
const NO: Permit = { ok: false, reason: 'The user does not want this.' }
const GIT = 'git -c user.name=a -c user.email=a@b -c commit.gpgsign=false -c protocol.file.allow=always'

describe.skipIf(probe === undefined)('a protected path that a command made', () => {
  it.each([
    ['echo "run me" > .envrc', '.envrc'],
    ['mkdir -p .husky/_ && echo "run me" > .husky/_/h && echo "run me" > .husky/pre-commit', '.husky'],
    ['mkdir -p .vscode && echo "run me" > .vscode/tasks.json', '.vscode'],
    ['mkdir -p a/.claude/x && echo "run me" > a/.claude/x/settings.json', 'a/.claude'],
    ['mkdir -p .github/workflows && echo "run me" > .github/workflows/ci.yml', '.github/workflows'],
    ['echo "run me" > .npmrc', '.npmrc'],
    ['echo "run me" > .yarnrc.yml', '.yarnrc.yml'],
    ['git init -q . && mkdir -p .git/info && echo "* filter=run me" > .git/info/attributes', '.git/info/attributes'],
    ['mkdir -p a/b && echo "run me" > a/b/.envrc', 'a/b/.envrc'],
    ['git init -q . && echo "run me" > .git/hooks/post-checkout', '.git/hooks'],
    ['git init -q . && git config core.fsmonitor "run me"', '.git/config'],
    ['git init -q . && printf "[core] fsmonitor = run me\\n" > .git/config', '.git/config'],
    ['git init -q sub && git -C sub config alias.st "!run me"', 'sub/.git/config'],
    ['git init -q sub && echo "../run me" > sub/.git/commondir', 'sub/.git/commondir'],
    ['mkdir evil && echo "gitdir: evil #run me" > .git', '.git'],
    ['git init -q . && mkdir sub && echo "gitdir: ../.git/modules/objects/run me" > sub/.git', 'sub/.git'],
    [
      'mkdir -p node_modules/.git/modules sub && echo "gitdir: ../node_modules/.git/modules/run me" > sub/.git',
      'sub/.git',
    ],
    [
      'mkdir -p .git/modules/x && printf "[core]\\n\\tsshCommand = run me\\n" > .git/modules/x/config',
      '.git/modules/x/config',
    ],
  ])('is moved aside, and stays there if the user says no: %s', async (command, path) => {
    const { run, asked, has } = await world(NO)
    const text = await run(command)
    expect(asked).toMatchObject([{ kind: 'edit', path, outside: false }])
    expect(asked.map((each) => (each.kind === 'edit' ? each.diff : ''))[0]).toContain('run me')
    expect(text).toContain(`${path}.aside`)
    expect(text).toContain('The user does not want this.')
    expect(has(path)).toBe(false)
    expect(has(`${path}.aside`)).toBe(true)
  })

  it('is put back if the user says yes, and is not asked about again', async () => {
    const { workspace, run, asked } = await world(YES)
    expect(await run('echo a > .envrc')).toBe('(no output)\n[exit code: 0]')
    expect(readFileSync(join(workspace, '.envrc'), 'utf8')).toBe('a\n')
    await run('true')
    expect(asked).toHaveLength(1)
  })

  it('is a changed one, too, if it is deeper in the workspace', async () => {
    const { run, asked, has } = await world(NO, { files: { 'a/.envrc': 'one' } })
    await run('echo two > a/.envrc')
    expect(asked).toMatchObject([{ path: 'a/.envrc' }])
    expect(has('a/.envrc')).toBe(false)
  })

  it('is one of a folder that was made instead of another that was moved away', async () => {
    const never = [{ kind: 'edit', pattern: 'src/made/**' }]
    const { run, asked, has } = await world(NO, { files: { 'src/made/a': 'one' }, never })
    await run('mv src s2; mkdir -p src/made; echo two > src/made/a')
    expect(asked).toMatchObject([{ path: 'src/made' }])
    expect(has('src/made')).toBe(false)
    expect(has('s2/made/a')).toBe(true)
  })

  it('is not a copy of what the workspace has, as in a worktree, unless it is changed', async () => {
    const { run, asked, has } = await world(NO, {
      files: { '.github/workflows/ci.yml': 'on: push\n', '.npmrc': 'a=1\n' },
    })
    await run(`git init -q . && git add -A && ${GIT} commit -qm a && git worktree add -q tree`)
    expect([asked, has('tree/.github/workflows/ci.yml'), has('tree/.npmrc')]).toEqual([[], true, true])
    await run('echo "run: me" >> tree/.github/workflows/ci.yml')
    expect(asked).toMatchObject([{ path: 'tree/.github/workflows/ci.yml' }])
  })

  it('is not what git makes by itself: a repository, a clone, a worktree, a submodule, a branch', async () => {
    const { run, asked } = await world(NO)
    const made = await run(
      `git init -q one && cd one && ${GIT} commit -q --allow-empty -m one && cd .. && git clone -q one two && cd two && git remote add x https://example.org/x.git && git checkout -q -b b origin/HEAD && git worktree add -q ../three && ${GIT} submodule --quiet add ../one sub`,
    )
    expect(made).toContain('[exit code: 0]')
    const inside = await run(`git init -q . && ${GIT} commit -q --allow-empty -m a && git worktree add -q tree`)
    expect(inside).toContain('[exit code: 0]')
    expect(asked).toEqual([])
  })

  it('is not a file that was there before, or that somebody else replaced meanwhile', async () => {
    const { workspace, run, asked, has } = await world(NO, { files: { '.envrc': 'a', 'a/.envrc': 'b' } })
    spawnSync('git', ['init', '-q', workspace])
    const running = run('touch begun; until [ -e done ]; do sleep 0.02; done')
    while (!has('begun')) await new Promise((resolve) => setTimeout(resolve, 10))
    spawnSync('git', ['remote', 'add', 'x', 'https://example.org/x.git'], { cwd: workspace })
    writeFileSync(join(workspace, 'new'), 'edited')
    renameSync(join(workspace, 'new'), join(workspace, '.envrc'))
    writeFileSync(join(workspace, 'done'), '')
    expect(await running).toBe('(no output)\n[exit code: 0]')
    expect(asked).toEqual([])
    expect(readFileSync(join(workspace, '.envrc'), 'utf8')).toBe('edited')
  })
})
