import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AskPermission, PermissionGate } from '../../../src/agent/permissions/permission-gate.ts'
import { requestNote } from '../../../src/agent/permissions/rule.ts'
import { openSandbox } from '../../../src/agent/sandbox/sandbox.ts'
import { NO_LOG, type PermissionRequest } from '../../../src/agent/tool.ts'
import { bash } from '../../../src/agent/tools/bash/bash.ts'
import type { PermissionMode } from '../../../src/config/tables/file-schema.ts'

const probe = await openSandbox('on', realpathSync(tmpdir()), process.env)
if (probe?.name !== 'bubblewrap') console.warn('Not tried: bubblewrap does not work here.')

const SECRET = 'the-secret-text'
type Answer = Awaited<ReturnType<AskPermission>>
const ONCE: Answer = { kind: 'once' }
const NO: Answer = { kind: 'tell', text: '' }

type WorldOptions = {
  readonly mode?: PermissionMode
  readonly answer?: Answer | 'nobody'
  readonly open?: readonly string[]
}

/** A home with files, a workspace in it, and commands that run as a user's agent runs them. */
async function world(files: Readonly<Record<string, string>>, options: WorldOptions = {}) {
  const { mode = 'auto-edit', answer = ONCE, open = [] } = options
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'pith-reach-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const workspace = join(home, 'work')
  const data = join(home, '.local/share/pith')
  for (const [name, text] of Object.entries({ '.local/share/pith/pith.db': SECRET, 'work/a.txt': 'a\n', ...files })) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
    if (text.startsWith('#!')) chmodSync(join(home, name), 0o755)
  }
  const env = { PATH: `${home}/bin:${process.env.PATH}`, HOME: home, LANG: 'C' }
  const sandbox = await openSandbox('on', workspace, env, { own: [data], privateFolder: join(data, 'sandbox/1'), open })
  const asked: { readonly request: PermissionRequest; readonly note?: string | undefined }[] = []
  const ask: AskPermission = async (request) => {
    asked.push({ request, note: requestNote(request) })
    return answer === 'nobody' ? NO : answer
  }
  const gate = await PermissionGate.open(mode, { folder: data, workspace }, answer === 'nobody' ? undefined : ask)
  gate.wall = sandbox
  const { signal } = new AbortController()
  const permit = (request: PermissionRequest) => gate.permit(request, 'call', signal)
  const run = async (command: string, more: { readonly outsideSandbox?: boolean } = {}) => {
    const input = { command, ...more }
    const context = { workspace, sandbox, never: gate.never, permit, signal, env, ...NO_LOG }
    const request = await bash.permission(input, context)
    const permitted = request === undefined ? undefined : await permit(request)
    if (permitted?.ok === false) return permitted.reason
    return (await bash.run(input, { ...context, allowed: permitted?.request ?? request })).text
  }
  const git = (line: string, cwd = workspace) => {
    const set = ['user.name=a', 'user.email=a@b', 'commit.gpgsign=false', 'init.defaultBranch=main']
    return spawnSync('git', [...set.flatMap((each) => ['-c', each]), ...line.split(' ')], {
      cwd,
      env,
      encoding: 'utf8',
    })
  }
  const text = (name: string) => readFileSync(join(home, name), 'utf8')
  return { home, workspace, asked, gate, run, git, text }
}

const SECRETS = [
  ...[
    '.ssh/id_rsa',
    '.aws/credentials',
    '.netrc',
    '.config/gh/hosts.yml',
    '.config/gcloud/a.db',
    '.docker/config.json',
  ],
  ...['.kube/config', '.mozilla/firefox/p/logins.json', '.config/google-chrome/Default/Cookies', '.git-credentials'],
]
const someSecrets = Object.fromEntries(SECRETS.map((name) => [name, SECRET]))
/** A program that prints what it can read, and fails if it cannot. */
const TOOL = '#!/bin/sh\necho "$@" >> "$HOME/work/ran"; cat "$HOME/.aws/credentials"\n'

describe.skipIf(probe?.name !== 'bubblewrap')('a command in the sandbox', () => {
  it('cannot read secrets, whatever it tries, and sees the settings of npm without the tokens', async () => {
    const npmrc = `registry=https://r.example/\n//r.example/:_authToken=${SECRET}\n`
    const { run } = await world({ ...someSecrets, '.npmrc': npmrc }, { mode: 'full' })
    const each = [...SECRETS, '.local/share/pith/pith.db'].map((name) => `cat ~/${name}; cp ~/${name} copy; cat copy`)
    const text = await run(
      `${each.join('; ')}; grep -r . ~ 2>/dev/null; cat ~/.npmrc; tar cf - ~ 2>/dev/null | grep -ao ${SECRET}`,
    )
    expect(text).not.toContain(SECRET)
    expect(text).toContain('registry=https://r.example/')
    expect((await run('head -c 20 /etc/shadow')).includes('root:')).toBe(false)
  })

  it('leaves nothing that runs later, and a tool that writes programs to its cache has them in the next command', async () => {
    const caches = [
      '.gradle/init.d/a.gradle',
      '.cargo/registry/src/a/lib.rs',
      '.npm/_npx/a/bin',
      '.cache/pre-commit/r/hook',
    ]
    const { run, text, home } = await world(Object.fromEntries(caches.map((name) => [name, 'good\n'])), {
      mode: 'full',
    })
    const write = [...caches, '.gradle/init.d/b.gradle', '.npm/_npx/b', '.cache/pre-commit/n'].map(
      (name) => `mkdir -p ~/${dirname(name)}; echo evil > ~/${name}`,
    )
    await run(write.join('; '))
    for (const name of caches) expect(text(name)).toBe('good\n')
    for (const name of ['.gradle/init.d/b.gradle', '.npm/_npx/b', '.cache/pre-commit/n'])
      expect(existsSync(join(home, name))).toBe(false)
    expect(await run('cat ~/.npm/_npx/b ~/.cache/pre-commit/n ~/.cache/pre-commit/r/hook')).toBe(
      'evil\nevil\ngood\n[exit code: 0]',
    )
  })

  it('starts, also after another one has put a link where a part of a private cache is mounted', async () => {
    const { run, home } = await world({ '.npm/a': 'a', '.config/app': 'good\n' }, { mode: 'full' })
    await run('ln -s ~/.config ~/.npm/_cacache')
    mkdirSync(join(home, '.npm/_cacache'))
    expect(await run('ls ~/.npm/_cacache')).toBe('app\n[exit code: 0]')
    expect(existsSync(join(home, '.npm/_cacache/app'))).toBe(false)
  })

  it('reads a secret that the user left open', async () => {
    const { run } = await world(someSecrets, { mode: 'full', open: ['~/.aws'] })
    expect(await run('cat ~/.aws/credentials')).toContain(SECRET)
    expect(await run('cat ~/.kube/config')).not.toContain(SECRET)
  })

  it('only a line of one literal command may run outside, also if the agent asks for that', async () => {
    const { run, asked } = await world({}, {})
    for (const line of ['true && true', 'true | true', 'x=$(true)', 'true "$HOME"'])
      expect(await run(line, { outsideSandbox: true }), line).toContain('Only one plain command alone in its line')
    expect(asked).toEqual([])
  })
})

describe.skipIf(probe?.name !== 'bubblewrap')('a command that is known to need a secret', () => {
  const files = { ...someSecrets, 'bin/aws': TOOL }

  it('is asked about and runs outside, and the question says why', async () => {
    const { run, asked } = await world(files)
    expect(await run('aws s3 ls')).toContain(SECRET)
    const request = { kind: 'command', command: 'aws s3 ls', outside: true, needs: ['~/.aws'] }
    expect(asked).toEqual([{ request, note: 'It is known to need ~/.aws, which the sandbox hides' }])
  })

  it('is asked about once if the user allows it in this session', async () => {
    const { run, asked } = await world({ ...files, 'bin/deploy': TOOL }, { answer: { kind: 'session' } })
    for (const command of ['aws s3 ls', 'aws s3 ls', 'deploy now', 'deploy now'])
      expect(await run(command)).toContain(SECRET)
    expect(asked).toHaveLength(2)
  })

  it('does not leave as a part of a longer line, which is asked about as it was', async () => {
    for (const line of ['aws s3 ls && true', 'aws s3 ls | cat', 'X=$(aws s3 ls)', 'aws "$HOME"', '(aws s3 ls)']) {
      const { run, asked } = await world(files)
      expect(await run(line), line).not.toContain(SECRET)
      expect(asked.filter(({ request }) => request.kind === 'command' && request.outside)).toEqual([])
    }
  })

  it('stays inside if nobody is asked or nothing is hidden', async () => {
    for (const options of [{ mode: 'full' as const }, { mode: 'full' as const, answer: 'nobody' as const }]) {
      const { run, asked } = await world(files, options)
      const text = await run('aws s3 ls')
      expect(text).not.toContain(SECRET)
      expect(text).toContain('sandbox_open')
      expect(asked).toEqual([])
    }
    const { run, asked } = await world({ 'bin/gh': '#!/bin/sh\necho ran\n' }, { mode: 'ask' })
    expect(await run('gh pr list')).toContain('ran')
    expect(asked.map(({ request }) => request)).toEqual([{ kind: 'command', command: 'gh pr list' }])
  })

  it('is a push over ssh, and not one to a folder', async () => {
    const { run, asked, git } = await world(someSecrets, { answer: NO })
    git('init -q .')
    git('remote add origin git@host.example:a/b.git')
    await run('git fetch')
    await run('git -C . push origin main')
    git('remote set-url origin ../elsewhere')
    await run('git fetch')
    expect(asked.map(({ request }) => request.kind === 'command' && request.needs)).toEqual([
      ['~/.ssh'],
      ['~/.config/gh', '~/.git-credentials', '~/.netrc', '~/.ssh'],
      undefined,
    ])
  })
})

describe.skipIf(probe?.name !== 'bubblewrap')('a command that failed at a secret', () => {
  const files = { ...someSecrets, 'bin/deploy': TOOL }

  it('is run again outside if the user wants that, and the question says that it ran once', async () => {
    const { run, asked, text } = await world({ ...files, 'bin/deploy': TOOL.replace('.aws/credentials', '.netrc') })
    const output = await run('deploy now')
    expect(output).toContain(SECRET)
    expect(output).toContain('it ran a second time, outside')
    expect(asked.map(({ note }) => note)).toEqual([
      'It ran once already, in the sandbox, and failed: ~/.netrc is hidden there',
    ])
    expect(text('work/ran')).toBe('now\nnow\n')
  })

  it('is not run again after a no, as a part of a line, or if nobody is there, and the model reads why', async () => {
    const refused = await world(files, { answer: NO })
    const output = await refused.run('deploy now')
    expect(output).toContain('hides ~/.aws. The user does not want this.')
    const line = await world(files)
    expect(await line.run('deploy now; exit 1')).toContain('Only one plain command alone in its line')
    expect(line.asked).toEqual([])
    const alone = await world(files, { answer: 'nobody' })
    expect(await alone.run('deploy now')).toContain('sandbox_open')
    expect(alone.gate.refused).toBe(0)
    for (const { text } of [refused, line, alone]) expect(text('work/ran')).toBe('now\n')
  })
})

describe.skipIf(probe?.name !== 'bubblewrap')('settings that run code later', () => {
  it('cannot be written by commands, and known writers of them are asked about and write them in the sandbox', async () => {
    const yarn = '#!/bin/sh\necho yarnPath: evil > .yarnrc.yml; echo x > .npmrc; cat ~/.aws/*; true\n'
    const files = { ...someSecrets, 'work/.yarnrc.yml': 'good\n', 'work/.npmrc': 'good\n', 'bin/yarn': yarn }
    const { run, asked, text } = await world(files)
    expect(await run('echo evil > .npmrc')).toContain('Read-only file system')
    asked.length = 0
    const output = await run('yarn set version stable')
    expect(asked.map(({ note }) => note)).toEqual(['It may change what runs outside of the sandbox later: .yarnrc*'])
    expect(text('work/.yarnrc.yml')).toBe('yarnPath: evil\n')
    expect(text('work/.npmrc')).toBe('good\n')
    expect(output).not.toContain(SECRET)
  })

  it('are asked about before a command of git that changes them, and only then', async () => {
    const { run, asked, git, workspace } = await world({
      'work/.github/workflows/ci.yml': 'one\n',
      'work/.vscode/a.json': '1\n',
    })
    const put = (name: string, text: string) => writeFileSync(join(workspace, name), text)
    for (const line of ['init -q .', 'add -A', 'commit -qm one', 'branch same', 'checkout -qb other']) git(line)
    put('.github/workflows/ci.yml', 'two\n')
    for (const line of ['commit -qam two', 'checkout -q main']) git(line)
    await run('git checkout -q same')
    await run('git checkout -q -b new')
    expect(asked.filter(({ note }) => note !== undefined)).toEqual([])
    expect(await run('git merge -q other')).toBe('(no output)\n[exit code: 0]')
    expect(asked.map(({ note }) => note)).toEqual([
      'It may change what runs outside of the sandbox later: .github/workflows/**',
    ])
    expect(readFileSync(join(workspace, '.github/workflows/ci.yml'), 'utf8')).toBe('two\n')
    expect(readFileSync(join(workspace, '.vscode/a.json'), 'utf8')).toBe('1\n')
  })

  it('are left alone by a commit, and a sparse checkout works', async () => {
    const { run, git, asked, workspace } = await world({ 'work/a/x': 'x\n', 'work/b/y': 'y\n', 'work/.npmrc': 'x=1\n' })
    for (const line of ['init -q .', 'config user.name a', 'config user.email a@b', 'add -A', 'commit -qm one'])
      git(line)
    expect(await run('echo more >> a/x && git commit -qam two && git log --oneline | wc -l')).toBe('2\n[exit code: 0]')
    expect(asked).toEqual([])
    expect(await run('git sparse-checkout set a')).toBe('(no output)\n[exit code: 0]')
    expect(existsSync(join(workspace, 'b'))).toBe(false)
    expect(await run('git sparse-checkout set a b')).toBe('(no output)\n[exit code: 0]')
    expect(existsSync(join(workspace, 'b/y'))).toBe(true)
    expect(asked.map(({ note }) => note)).toEqual(
      Array.from(
        { length: 2 },
        () => 'It may change what runs outside of the sandbox later: .git/config, .git/config.worktree',
      ),
    )
  })
})
