import { randomFrom } from '../random.ts'

/** The facts that have to be known many steps after they were seen. Each is planted as `label = "value"`. */
export const LABELS = [
  'licence-tag',
  'codeword-alpha',
  'error-mark',
  'manifest-path',
  'service-port',
  'deploy-token',
  'buried-key',
] as const
export type Label = (typeof LABELS)[number]

export type Facts = Readonly<Record<Label, string>>

const WORDS = [
  'amber',
  'brisk',
  'cobalt',
  'dune',
  'ember',
  'fjord',
  'gravel',
  'harbor',
  'indigo',
  'juniper',
  'kelp',
  'lumen',
]

/** The values that a seed plants. The brain never sees them here, only in what it is sent. */
export function factsOf(seed: number): Facts {
  const random = randomFrom(seed)
  const number = (from: number, to: number) => Math.floor(from + random() * (to - from))
  const word = () => WORDS[number(0, WORDS.length)] ?? ''
  const hex = () => number(0x1000000, 0xfffffff).toString(16)
  return {
    'licence-tag': `PX-${number(1_000, 9_999)}-${word()}`,
    'codeword-alpha': `${word()}-${word()}-${number(1_000, 9_999)}`,
    'error-mark': `E${number(1_000, 9_999)}-${word()}`,
    'manifest-path': `build/${hex()}/manifest.txt`,
    'service-port': `${number(20_000, 60_000)}`,
    'deploy-token': `${hex()}${hex()}`,
    'buried-key': `${word()}.${hex()}.${word()}`,
  }
}

/** The form of a fact in a text. */
export function planted(label: Label, facts: Facts): string {
  return `${label} = "${facts[label]}"`
}

/** The value of a fact as a text has it, whether plain or inside of JSON. */
export function factIn(text: string, label: Label): string | undefined {
  return new RegExp(`${label} = \\\\?"([\\w./-]+)\\\\?"`).exec(text)?.[1]
}

/** The text that is written instead of a fact that is not remembered. */
export function lost(label: Label): string {
  return `LOST(${label})`
}
