/**
 * A cut rule of your own: where the conversation may be cut. Here a release is one piece: it is summarised as a whole or
 * kept as a whole. The providers' rules (no call without its result, …) apply in addition to yours. If nothing fits otherwise, the
 * window comes first.
 * In an empty folder with the copy of this file in the package: npm install pith && node 05-own-cut-rule.ts
 */
import { type CompactResult, type CutRule, compactMessages, type Message } from '../src/index.ts' // in your program: from 'pith'

const keepsReleasesWhole: CutRule = (view) => {
  const inRelease = new Set<number>()
  let open = false
  for (const [index, { message }] of view.items.slice().entries()) {
    if (open) inRelease.add(index)
    if (String(message.content).startsWith('Begin release')) open = true
    if (String(message.content).startsWith('Release done')) open = false
  }
  return (index) => !inRelease.has(index)
}

const messages: Message[] = []
for (let release = 1; release <= 8; release++) {
  messages.push({ role: 'user', content: `Begin release ${release}. ${'Details. '.repeat(120)}` })
  for (let step = 1; step <= 6; step++) {
    messages.push({ role: 'assistant', content: `Step ${step} of release ${release}. ${'Done so. '.repeat(120)}` })
    messages.push({ role: 'user', content: `Go on with release ${release}.` })
  }
  messages.push({ role: 'assistant', content: `Release done: ${release}.` })
}

const options = { model: { contextWindow: 16_000 } }
const without = await compactMessages(messages, options)
const withRule = await compactMessages(messages, { ...options, cutRules: [keepsReleasesWhole] })
console.log(`without the rule the tail starts at: ${tailStart(without)}`)
console.log(`with the rule the tail starts at:    ${tailStart(withRule)}`)

function tailStart(result: CompactResult): string {
  const message = result.compacted ? messages[result.cut ?? 0] : undefined
  return String(message?.content).slice(0, 24)
}
