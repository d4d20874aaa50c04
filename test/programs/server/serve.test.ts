import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serverHome } from '../../server/support/processes.ts'
import { pithProcess } from '../../support/cli.ts'
import { configFolders } from '../../support/config-folders.ts'
import { full } from '../../support/full.ts'
import { startModelServer } from '../../support/model-server/index.ts'

describe('pith serve', () => {
  it('tokens are made, listed without their secrets, and taken away', () => {
    const folders = configFolders()
    const made = pithProcess(folders, ['serve', 'token', 'add', 'alice', '--read', '--owner', 'local'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pith_[\w-]{43}\n$/) })
    const listed = pithProcess(folders, ['serve', 'token', 'list'])
    expect(listed.stdout).toMatch(/^name +access +sessions of\nlocal +write +local\nalice +read +local\n$/)
    expect(listed.stdout).not.toContain(made.stdout.trim())
    expect(pithProcess(folders, ['serve', 'token', 'remove', 'alise'])).toMatchObject({
      code: 1,
      stderr: 'pith: there is no token alise, did you mean alice?\n',
    })
    expect(pithProcess(folders, ['serve', 'token', 'remove', 'alice']).code).toBe(0)
  })

  it('a key of its configuration that is not known is refused with the nearest', () => {
    const folders = configFolders()
    folders.user('server:\n  prot: 80\n')
    expect(pithProcess(folders, ['serve'])).toMatchObject({
      code: 1,
      stderr: 'pith: server: unknown key `prot`, did you mean `port`?\n',
    })
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
    expect(pithProcess(folders, ['serve', '--port', 'http'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a port is'),
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
