import { startModelServer } from '../../test/support/model-server/index.ts'

const PARAGRAPH = `## Part of a long reply

Some *words* with \`code\`, **bold** and a [link](https://example.com), long enough to be wrapped at least once on a screen.

- a list
- of two

\`\`\`ts
const answer = compute(42)
if (answer > 41) console.log(answer)
\`\`\`

`

/**
 * A model in a process of its own, so that it takes nothing from the one that is measured: replies of 200 KB, with a
 * pause before each piece or all at once. */
const reply = PARAGRAPH.repeat(Math.ceil(200_000 / PARAGRAPH.length))
const pauseMs = Number(process.argv[2] ?? 0)
const faults = pauseMs === 0 ? [] : [{ when: () => true, fault: { fault: 'slow' as const, pauseMs } }]
const server = await startModelServer({ brain: () => ({ text: reply }), window: 100_000_000, faults })
process.stdout.write(`${server.baseUrl('chat')}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
