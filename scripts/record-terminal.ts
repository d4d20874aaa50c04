// Makes docs/images/terminal.svg: the terminal agent on a screen in memory, with a model server on this machine. `node scripts/record-terminal.ts [file]`
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { EXAMPLE_SESSION, EXAMPLE_WINDOW } from '../src/cli/example/example-session.ts'
import { type Brain, isSummarising, startModelServer } from '../test/support/model-server/index.ts'
import { KEY, makeHome, Program } from '../test/tui/support/program.ts'
import { animatedSvg, type Frame } from './recording/animated-svg.ts'

const SIZE = { columns: 100, rows: 24 }
const KEY_MS = 55
const file = resolve(process.argv[2] ?? join(import.meta.dirname, '..', 'docs', 'images', 'terminal.svg'))

const ANSWER =
  'The second: ordering the queue by size changes which upload starts first, and `test/parallel.test.ts` counts on that order. The first only adds a reason to a connection that is closed anyway.'

const SUMMARY = `## Goal
Uploads larger than 5 MB failed with "socket hang up"; the user asked why, and for a fix.

## Reasons
\`src/http/client.ts\` closed the socket after 30 s of total time; \`idleTimer\` now counts from the last byte that was sent. \`src/retry.ts\` stays: #230 also covers servers that restart.

## Next
The two notes marked for 2.4, in \`src/http/client.ts\` and \`src/queue.ts\`; nothing is committed yet.`

const model: Brain = (request) => ({ text: isSummarising(request) ? SUMMARY : ANSWER })

const server = await startModelServer({ brain: model, window: 10_000_000 })
const home = makeHome()
const frames: Frame[] = []
try {
  home.config({
    model: 'local/demo',
    theme: 'dark',
    providers: { local: { kind: 'openai-compatible', base_url: server.baseUrl('chat'), api_key: 'none' } },
    models: [{ provider: 'local', model: 'demo', context_window: EXAMPLE_WINDOW, price: { input: 3, output: 15 } }],
  })
  await home.session([
    ...EXAMPLE_SESSION.map((message) => ({ type: 'message' as const, message })),
    { type: 'settings', title: 'Uploads that hang' },
  ])
  const program = new Program(home, { ...SIZE, open: { kind: 'continue' } })
  await program.sees('%')
  await keep(program, 1_800)
  await typed(program, 'Which of the two notes is the risky one?')
  await program.sees('closed anyway')
  await keep(program, 2_600)
  await typed(program, '/compact')
  await program.sees('Compacted')
  await keep(program, 3_600)
  await typed(program, '/recall client closed')
  await program.sees('client closed the socket')
  await keep(program, 4_200)
  await program.quit()
} finally {
  home.remove()
  await server.close()
}
const title = 'pith: a turn, /compact with its outcome, and /recall of what was compacted'
writeFileSync(file, animatedSvg(frames, SIZE.columns, title))
console.log(`${file}: ${frames.length} frames`)

/** A line typed key by key, and sent. */
async function typed(program: Program, text: string): Promise<void> {
  for (const piece of text.match(/.{1,3}/g) ?? []) {
    program.type(piece)
    await pause(30)
    await keep(program, KEY_MS * piece.length)
  }
  await program.sees(text)
  await keep(program, 500)
  program.press(KEY.enter)
}

/** Shows the screen as it is now for so long. */
async function keep(program: Program, ms: number): Promise<void> {
  await program.terminal.settled()
  frames.push({ lines: program.terminal.styledLines(), ms })
}
