import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installScript } from '../../scripts/install-script.mjs'

const SYSTEM = `${process.platform}-${process.arch}`
const NAME = `pith-9.9.9-${SYSTEM}.gz`

/** A program that leaves a trace where it runs. */
const program = (trace: string) => gzipSync(`#!/bin/sh\ntouch "${trace}"\necho 9.9.9\n`)

/** A release on a server of this machine, whose file may be another one than its script expects. */
async function release({ names = [NAME] } = {}) {
  let served = (good: Buffer) => good
  const root = mkdtempSync(join(tmpdir(), 'pith install '))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const trace = join(root, 'has-run')
  const good = program(trace)
  const server = createServer((request, response) => {
    if (request.url === `/${NAME}`) response.end(served(good))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const sum = createHash('sha256').update(good).digest('hex')
  const from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const text = installScript({ version: '9.9.9', sums: names.map((name) => `${sum}  ${name}`), from })
  const folder = join(root, 'bin')
  const install = async (script = text) => {
    const child = spawn('sh', ['-s', folder], { env: { ...process.env, PITH_FROM: '' } })
    child.stdin.end(script)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
    const status = await new Promise((resolve) => child.on('close', resolve))
    return { status, output, files: existsSync(folder) ? readdirSync(folder) : [], hasRun: existsSync(trace) }
  }
  const serve = (other: typeof served) => {
    served = other
  }
  return { install, serve, text, folder, trace }
}

describe.skipIf(process.platform === 'win32')('the install script', () => {
  it('installs the program of this system when its checksum is right', async () => {
    const { install, folder } = await release()
    const done = await install()
    expect(done).toMatchObject({ status: 0, files: ['pith'], hasRun: true })
    expect(done.output).toContain(`Pith 9.9.9 is installed: ${join(folder, 'pith')}`)
    expect(done.output).toContain('is not on your PATH yet')
  })

  it('neither runs nor keeps a file that was changed', async () => {
    const { install, serve, trace } = await release()
    serve(() => gzipSync(`#!/bin/sh\ntouch "${trace}"\necho 9.9.9 # and more\n`))
    const done = await install()
    expect(done).toMatchObject({ status: 1, files: [], hasRun: false })
    expect(done.output).toContain('is not that of the release, so nothing was installed')
  })

  it('neither runs nor keeps a file that arrived in part', async () => {
    const { install, serve } = await release()
    serve((good) => good.subarray(0, good.length - 4))
    expect(await install()).toMatchObject({ status: 1, files: [], hasRun: false })
  })

  it('does nothing when the script itself arrived in part', async () => {
    const { install, text } = await release()
    const partial = text.slice(0, text.lastIndexOf('main "$@"'))
    expect(await install(partial)).toMatchObject({ files: [], hasRun: false })
  })

  it('keeps the program that is there when the new one is wrong', async () => {
    const { install, serve, folder } = await release()
    await install()
    const before = readFileSync(join(folder, 'pith'), 'utf8')
    serve(() => gzipSync('#!/bin/sh\necho other\n'))
    expect(await install()).toMatchObject({ status: 1, files: ['pith'] })
    expect(readFileSync(join(folder, 'pith'), 'utf8')).toBe(before)
  })

  it('names the way with Node when the release has no program for this system', async () => {
    const { install } = await release({ names: ['pith-9.9.9-plan9-mips.gz'] })
    const done = await install()
    expect(done).toMatchObject({ status: 1, files: [] })
    expect(done.output).toContain('npm install --global pith')
  })

  it('asks for the address when it was made without one', async () => {
    const { install, text } = await release()
    const done = await install(text.replace(/http:\/\/127[^}]*/, ''))
    expect(done).toMatchObject({ status: 1, files: [] })
    expect(done.output).toContain('PITH_FROM=')
  })
})
