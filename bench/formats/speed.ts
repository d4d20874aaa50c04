import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compact } from '../../src/engine.ts'
import { answerOpenCalls, decode } from '../../src/formats/index.ts'
import { pieces } from './pieces.ts'

const RUNS = 41

/** Reading a file and compacting it offline, against reading it and parsing each of its lines, in turns in one run. */
export async function measureSpeed(path: string): Promise<void> {
  const times = { parse: [] as number[], decode: [] as number[], compact: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    let start = performance.now()
    const lap = (into: number[]) => {
      into.push(performance.now() - start)
      start = performance.now()
    }
    for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
    lap(times.parse)
    const result = await decode(pieces(path))
    lap(times.decode)
    if (!result.ok) return console.log(`${basename(path)}: ${result.text}`)
    await compact({ log: answerOpenCalls(result.session.entries), model: { contextWindow: 64_000 } })
    lap(times.compact)
  }
  const best = (values: readonly number[]) => Math.min(...values)
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  console.log(
    `${basename(path)}, ${RUNS} runs, in milliseconds (the best run is the one that other programs disturbed least):`,
  )
  for (const [name, of] of [['best', best] as const, ['median', median] as const]) {
    const [parse, read, compacted] = [of(times.parse), of(times.decode), of(times.compact)]
    const ratio = ((read + compacted) / parse).toFixed(2)
    console.log(
      `${name}: parse ${parse.toFixed(1)}, decode ${read.toFixed(1)}, compact ${compacted.toFixed(1)}: ${ratio} times`,
    )
  }
}
