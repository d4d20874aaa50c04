import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { quotedWord } from '../../../src/model/text.ts'
import { upstreamServer } from '../../gateway/support/world.ts'
import { configFolders } from '../../support/config-folders.ts'
import { hasTmux, NO_TMUX, Tmux } from '../../tui/support/tmux.ts'

if (!hasTmux) console.warn(NO_TMUX)

/** An agent that reports what its terminal does to it, and asks its provider each time: the gateway must still be there. */
const AGENT = `#!/usr/bin/env node
const ask = async (what) => {
  const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/models')
  console.log(what, await response.text())
}
const say = async () => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
  await (await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body })).text()
}
const size = () => process.stdout.columns + 'x' + process.stdout.rows
if (!process.argv.includes('plain')) process.on('SIGINT', () => ask('interrupted'))
process.on('SIGCONT', () => ask('back'))
process.stdout.on('resize', () => ask('now ' + size()))
process.stdin.on('data', (line) => {
  if (String(line).trim() === 'leave') return say().then(() => process.exit(7))
  if (String(line).trim() === 'stop') return process.kill(process.pid, 'SIGSTOP')
  ask('heard ' + String(line).trim())
})
if (process.argv.includes('plain')) say().then(() => ask('plain'))
else ask('ready ' + size())
`

describe.skipIf(!hasTmux)('pith wrap in a real terminal', () => {
  test('leaves Ctrl+C, Ctrl+Z, fg, changes of size and the exit status to the agent, and shows its bill when it has ended', async () => {
    const upstream = await upstreamServer((_, response) => response.end('and answered'))
    const folders = configFolders()
    const programs = join(folders.home, 'programs')
    mkdirSync(programs, { recursive: true })
    writeFileSync(join(programs, 'claude'), AGENT)
    chmodSync(join(programs, 'claude'), 0o755)
    const PITH_HOME = join(folders.home, 'pith')
    // A shell's own start-up files may set the path again.
    const path = `PATH=${quotedWord([programs, dirname(process.execPath)].join(':'))}:"$PATH"`
    const start = `${path} exec ${quotedWord(process.execPath)} ${quotedWord(inject('program'))} wrap claude -- "$@"`
    writeFileSync(join(folders.home, 'start.sh'), start)
    const env = { PITH_HOME, HOME: folders.home, ANTHROPIC_BASE_URL: upstream }
    const terminal = new Tmux('sh -i', { columns: 90, rows: 30, cwd: folders.workspace, env })
    onTestFinished(() => terminal.close())

    terminal.type('sh ../start.sh; echo "left with $?"')
    terminal.press('Enter')
    await terminal.sees('ready 90x30 and answered')
    terminal.press('C-c')
    await terminal.sees('interrupted and answered')
    terminal.resize(80, 20)
    await terminal.sees('now 80x20 and answered')
    terminal.press('C-z')
    await terminal.sees(/Stopped|Suspended/)
    terminal.type('fg; echo "left with $?"')
    terminal.press('Enter')
    await terminal.sees('back and answered')
    terminal.type('hello')
    terminal.press('Enter')
    await terminal.sees('heard hello and answered')
    // An agent that stops only itself, not its group.
    terminal.type('stop')
    terminal.press('Enter')
    await terminal.sees(/(?:Stopped|Suspended)[\s\S]*(?:Stopped|Suspended)/)
    terminal.type('fg; echo "left with $?"')
    terminal.press('Enter')
    await terminal.sees(/back and answered[\s\S]*back and answered/)
    terminal.type('leave')
    terminal.press('Enter')
    // The bill comes before the prompt of the shell.
    await terminal.sees(/Pith: 1 request, 0 compactions[\s\S]*left with 7/)
    terminal.type('clear; sh ../start.sh plain')
    terminal.press('Enter')
    await terminal.sees('plain and answered')
    terminal.press('C-c')
    await terminal.sees('Pith: 1 request, 0 compactions')
    terminal.type('echo "left with $?"')
    terminal.press('Enter')
    await terminal.sees('left with 130')
    await expect.poll(() => readdirSync(join(PITH_HOME, 'gateways')), { timeout: 20_000 }).toEqual([])
  })
})
