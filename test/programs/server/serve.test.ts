import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { addRule } from '../../../src/agent/permissions/rules-file.ts'
import { shellWord } from '../../../src/model/text.ts'
import { AccessBook } from '../../../src/server/access/access-book.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { serverHome } from '../../server/support/processes.ts'
import { needsScript, pith, pithProcess } from '../../support/cli.ts'
import { type ConfigFolders, configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'
import { startModelServer } from '../../support/model-server/index.ts'

const MAIN = inject('program')

/** A server that has said its address. */
async function started({ home, env, workspace }: ConfigFolders, [command = '', ...args]: readonly string[]) {
  const child = spawn(command, args, {
    cwd: workspace,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  await expect.poll(() => said.stdout).toContain('\n')
  return { text: () => said.stdout, errors: () => said.stderr, stop: () => child.kill('SIGTERM'), ended }
}

describe('pith serve', () => {
  it('tokens are made, listed without their secrets, and taken away', async () => {
    const folders = configFolders()
    const made = await pith(folders, ['serve', 'token', 'add', 'alice', '--read', '--owner', 'local'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pith_[\w-]{43}\n$/) })
    const listed = await pith(folders, ['serve', 'token', 'list'])
    expect(listed.stdout).toMatch(
      /^name +access +sessions of +until +spent today\nlocal +admin +local +it is removed +–\nalice +read +local +it is removed +–\n$/,
    )
    expect(listed.stdout).not.toContain(made.stdout.trim())
    expect(await pith(folders, ['serve', 'token', 'remove', 'alise'])).toMatchObject({
      code: 1,
      stderr: 'pith: there is no token alise\n',
    })
    expect(await pith(folders, ['serve', 'token', 'remove', 'alice'])).toMatchObject({
      code: 0,
      stdout: 'Removed the token alice. Every process of the server refuses it within two seconds.\n',
    })
    const limits = ['--admin', '--daily-cost', '2.50', '--daily-tokens', '2M']
    expect((await pith(folders, ['serve', 'token', 'add', 'alice', ...limits])).code).toBe(0)
    expect((await pith(folders, ['serve', 'token', 'list'])).stdout).toMatch(
      /\nalice +admin +alice +it is removed +\$0\.00 of \$2\.50, 0 of 2,000,000 tokens\n$/,
    )
    const change = ['--no-admin', '--access', 'read', '--no-daily-cost', '--daily-tokens', '5k']
    expect(await pith(folders, ['serve', 'token', 'change', 'alice', ...change])).toMatchObject({
      code: 0,
      stdout: 'Changed the token alice. Every process of the server knows it within two seconds.\n',
    })
    expect((await pith(folders, ['serve', 'token', 'list'])).stdout).toMatch(
      /\nalice +read +alice +it is removed +\$0\.00, 0 of 5,000 tokens\n$/,
    )
    expect(await pith(folders, ['serve', 'token', 'add', 'both', '--admin', '--read'])).toMatchObject({
      code: 1,
      stderr: 'pith: both: the token of an administrator can write, too\n',
    })
  })

  it('tokens and links are those of the store that --store names, and flags without an effect are refused', async () => {
    const folders = configFolders()
    const store = join(folders.workspace, 'team.db')
    const at = (...words: readonly string[]) => pith(folders, ['serve', ...words, '--store', store])
    expect(await at('token', 'list')).toMatchObject({ code: 1, stderr: `pith: there is no database ${store}\n` })
    expect((await at('token', 'add', 'alice')).code).toBe(0)
    expect((await at('token', 'change', 'alice', '--admin')).code).toBe(0)
    expect((await at('token', 'list')).stdout).toMatch(/\nalice +admin +alice /)
    expect((await pith(folders, ['serve', 'token', 'list'])).stdout).not.toContain('alice')
    expect((await at('link', '--token', 'alice')).stdout).toContain('/#link=')
    expect((await at('token', 'remove', 'alice')).code).toBe(0)
    expect((await at('token', 'list')).stdout).not.toContain('alice')
    expect((await at('token', 'list', '--help')).stdout).toContain('--store <PLACE>')
    expect(await at('token', 'list', '--port', '1')).toMatchObject({
      code: 2,
      stderr: "pith: unknown option '--port'; see pith serve token list --help\n",
    })
  })

  it('a token may expire, and an invalid time is refused', async () => {
    const folders = configFolders()
    expect((await pith(folders, ['serve', 'token', 'add', 'guest', '--expires', '2d'])).code).toBe(0)
    const [, until = ''] =
      /guest +write +guest +(\S+)/.exec((await pith(folders, ['serve', 'token', 'list'])).stdout) ?? []
    expect(Math.round((Date.parse(until) - Date.now()) / 3_600_000)).toBe(48)
    const refused = await pith(folders, ['serve', 'token', 'add', 'late', '--expires', 'soon'])
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Write a time such as 30d, 12h, 90m or 45s'),
    })
  })

  it('reports that it will stop, and ends at once when it is asked again', async () => {
    const folders = configFolders()
    folders.user('server: { leaving_ms: 600000 }')
    const server = await started(folders, [process.execPath, MAIN, 'serve', '--port', '0', '--quiet'])
    const [url = ''] = /http:\/\/\S+/.exec(server.text()) ?? []
    const readiness = async () => (await fetch(`${url}/ready`)).status
    expect(await readiness()).toBe(200)
    server.stop()
    await expect.poll(readiness).toBe(503)
    server.stop()
    expect(await server.ended).toBe(130)
  })

  it('names the never rules of its workspaces that no sandbox keeps', async () => {
    const folders = configFolders()
    folders.user(`server: { workspaces: { web: { path: ${folders.workspace} }, gone: { path: /nowhere } } }`)
    const place = { folder: folders.env.PITH_HOME ?? '', workspace: folders.workspace }
    await addRule(place, 'never', { kind: 'command', pattern: 'git push *' })
    const server = await started(folders, [process.execPath, MAIN, 'serve', '--port', '0', '--quiet'])
    await expect
      .poll(() => server.errors())
      .toMatch(/^Workspace web: [^\n]*only as good as reading the text of a command: command: git push \*\n$/)
  })

  it('a terminal gets a link that signs in once; a pipe gets the address alone', async (test) => {
    const folders = configFolders()
    const piped = await started(folders, [
      process.execPath,
      MAIN,
      'serve',
      '--port',
      '0',
      '--quiet',
      '--host',
      '0.0.0.0',
    ])
    expect(piped.text()).toMatch(/^Pith serves at http:\/\/0\.0\.0\.0:\d+\n/)
    expect(piped.text()).not.toMatch(/pith_|#/)
    await expect.poll(() => piped.errors()).toMatch(/^Warning: .* no TLS.*\n$/)
    needsScript(test)
    const line = `${shellWord(process.execPath)} ${shellWord(MAIN)} serve --port 0 --quiet`
    const shown = await started(folders, ['script', '-qec', line, '/dev/null'])
    await expect.poll(() => shown.text()).toContain('#link=')
    const [, url = '', link = ''] = /(http:\S+)\/#link=(\S+)/.exec(shown.text()) ?? []
    expect(shown.text()).not.toMatch(/token|Warning/)
    const signIn = () =>
      fetch(`${url}/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ link }),
      })
    expect(await (await signIn()).json()).toMatchObject({ name: 'local', access: 'write' })
    expect((await signIn()).status).toBe(401)
  })

  it('a link to a session contains a token of its owner', async () => {
    const folders = configFolders()
    const store = await openStore(join(folders.env.PITH_HOME ?? '', 'pith.db'))
    const { id } = await store.createSession({ owner: 'alice', workspace: '/w' })
    await store.close()
    const link = (...args: string[]) => pith(folders, ['serve', 'link', ...args])
    expect(await link(id)).toMatchObject({
      code: 1,
      stderr: 'pith: there is no token that sees the sessions of alice: make one with pith serve token add\n',
    })
    expect(await link('nothing')).toMatchObject({
      code: 1,
      stderr: 'pith: there is no session nothing: pith sessions lists them\n',
    })
    await pith(folders, ['serve', 'token', 'add', 'alice'])
    expect((await link(id, '--url', 'https://pith.example/')).stdout).toMatch(
      /^https:\/\/pith\.example\/#share=pith_[\w-]{43}\n$/,
    )
    const [shared = ''] = /\S+/.exec((await link(id)).stdout) ?? []
    const secret = shared.replace(/^.*#share=/, '')
    const again = await openStore(join(folders.env.PITH_HOME ?? '', 'pith.db'))
    onTestFinished(() => again.close())
    const access = await AccessBook.open(again)
    expect(access.grant('share', secret)?.session).toBe(id)
    expect((await link('--end', shared)).code).toBe(0)
    await access.refresh()
    expect(access.grant('share', secret)).toBeUndefined()
    expect((await link('--end', shared)).stderr).toBe('pith: there is no such link, or it has ended\n')
    expect((await link()).stdout).toMatch(/^http:\/\/127\.0\.0\.1:7484\/#link=pith_[\w-]{43}\n$/)
  })

  it('a key of its configuration that is not known is refused with the nearest', async () => {
    const folders = configFolders()
    folders.user('server:\n  prot: 80\n')
    const { code, stderr } = await pith(folders, ['serve'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^pith: .*config\.yaml:2: server: unknown key `prot`, did you mean `port`\?\n$/)
    expect(await pith(folders, ['sessions', '--json'])).toMatchObject({ code: 0, stderr: '' })
    folders.user('gateway: { mode: rewrit }\n')
    expect((await pith(folders, ['serve'])).stderr).toMatch(/^pith: .*config\.yaml:1: gateway\.mode: must be /)
  })

  it('a port that is taken, and one that is none, are one line each', async () => {
    const folders = configFolders()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const taken = pithProcess(folders, ['serve', '--port', String(port)])
    expect(taken.code).toBe(1)
    expect(taken.stderr).toMatch(
      /^pith: cannot listen on 127\.0\.0\.1:\d+ \(something else listens there\): .*--port\n$/,
    )
    expect(await pith(folders, ['serve', '--port', 'http'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Write a number up to 65535'),
    })
  })

  if (full)
    it('a client that does not finish its request is let go', async () => {
      const model = await startModelServer({ brain: () => ({ text: 'ok' }) })
      onTestFinished(() => model.close())
      const folders = configFolders()
      const home = serverHome(join(folders.home, 'pith.db'), model)
      onTestFinished(() => home.stop())
      const { url } = await home.start()
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
      const started = performance.now()
      await new Promise((resolve) => socket.once('close', resolve).resume())
      console.info(
        `a client that stops in the middle of its headers is let go after ${Math.round((performance.now() - started) / 1_000)} s`,
      )
    })
})
