import { load } from './modules.ts'

/** A real tokenizer: counts, and the ends of its tokens for the fit of letter pairs. */
export type Tokenizer = {
  readonly name: string
  readonly count: (text: string) => number
  readonly encode: (text: string) => number[]
  readonly decode: (tokens: number[]) => string
}

type Encoding = {
  encode: (text: string, options?: object) => number[]
  decode: (tokens: number[]) => string
  countTokens: (text: string, options?: object) => number
}

/** o200k, the vocabulary of OpenAI's models since GPT-4o. Special tokens in a text are counted as plain text. */
export async function o200k(): Promise<Tokenizer> {
  const encoding = (await load('gpt-tokenizer', 'esm/encoding/o200k_base.js')) as Encoding
  const plain = { disallowedSpecial: new Set<string>() }
  return {
    name: 'o200k_base of gpt-tokenizer',
    count: (text) => encoding.countTokens(text, plain),
    encode: (text) => encoding.encode(text, plain),
    decode: (tokens) => encoding.decode(tokens),
  }
}
