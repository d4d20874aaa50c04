import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { runTerminal } from '../../src/tui/app/run-terminal.ts'
import { openLocalPort } from '../../src/tui/local/local-port.ts'
import type { PortEvent } from '../../src/tui/port/port.ts'
import { makeHome } from '../../test/tui/support/program.ts'
import { talk } from '../../test/tui/support/talk.ts'
import { NullTerminal } from './null-terminal.ts'
import { percentile, typingLatencies } from './typing.ts'

/** Prints how long a key takes to the screen: idle and while 200 KB of Markdown stream in, with few and 5,000 messages. */
export async function measureResponsiveness(): Promise<void> {
  console.log('key press to screen, ms (100 columns, 40 rows, a key every 40 ms)\n')
  for (const [turns, pauseMs] of [
    [2, 1],
    [2_500, 1],
    [2_500, 0],
  ] as const) {
    const { idle, streaming, replyMs, openMs } = await measure(turns, pauseMs)
    const label = `${turns * 2} messages`
    console.log(`${label.padEnd(15)} opened in ${openMs.toFixed(0)} ms, reply of 200 KB in ${replyMs.toFixed(0)} ms`)
    console.log(`  idle           ${summary(idle)}`)
    console.log(`  while it comes ${summary(streaming)}\n`)
  }
}

function summary(values: readonly number[]): string {
  const at = (share: number) => percentile(values, share).toFixed(1).padStart(6)
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}  (${values.length} keys)`
}

async function measure(turns: number, pauseMs: number) {
  const home = makeHome()
  const server = spawn(process.execPath, [resolve(import.meta.dirname, 'serve.ts'), `${pauseMs}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  home.config({
    model: 'test/pith-test',
    theme: 'dark',
    providers: { test: { kind: 'openai-compatible', base_url: String(line).trim(), api_key: 'test-key' } },
    models: [{ provider: 'test', model: 'pith-test', context_window: 100_000_000 }],
  })
  await home.session(talk(turns, undefined, 600))
  const terminal = new NullTerminal()
  const ended = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let hasReplied = false
  const onEvent = (event: PortEvent) => {
    if (event.type === 'turn-ended') hasReplied = true
  }
  const startedAt = performance.now()
  const running = runTerminal({
    terminal,
    env: home.env,
    print: () => {},
    open: async () => {
      const made = await openLocalPort({
        version: '1.2.3',
        flags: {},
        cwd: home.workspace,
        env: home.env,
        open: { kind: 'continue' },
      })
      made.port.subscribe(onEvent)
      opened.resolve()
      return made
    },
  }).then(() => ended.resolve())
  await opened.promise
  const openMs = performance.now() - startedAt
  const end = performance.now() + 3_000
  const idle = await typingLatencies(terminal, () => performance.now() > end)
  const askedAt = performance.now()
  for (const key of ['g', 'o', '\r']) terminal.input(key)
  const streaming = await typingLatencies(terminal, () => hasReplied)
  const replyMs = performance.now() - askedAt
  for (const key of ['\x03', '\x03', '\x03']) terminal.input(key)
  await running
  server.stdin.end()
  home.remove()
  return { idle, streaming, replyMs, openMs }
}
