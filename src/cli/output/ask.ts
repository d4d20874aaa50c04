import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal. Only `y` and `yes` agree. */
export async function isAgreed(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim())
  } finally {
    asking.close()
  }
}
