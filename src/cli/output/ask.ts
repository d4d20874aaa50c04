import { createInterface } from 'node:readline'

/** Asks a question on the terminal. Only `y` and `yes` agree. */
export async function isAgreed(question: string): Promise<boolean> {
  return (await agreedOf([question], (each) => each)).length > 0
}

/** Asks about each of these, and returns those that were agreed to: none if the user ends the questions with Ctrl+C or Ctrl+D. */
export async function agreedOf<T>(items: readonly T[], question: (item: T) => string): Promise<T[]> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  // One interface for all questions: each takes the lines that were typed ahead with it when it closes.
  const answers = asking[Symbol.asyncIterator]()
  try {
    const agreed: T[] = []
    for (const item of items) {
      asking.setPrompt(`${question(item)} [y/N] `)
      asking.prompt()
      const { value, done } = await answers.next()
      if (done) return []
      if (/^y(es)?$/i.test(value.trim())) agreed.push(item)
    }
    return agreed
  } finally {
    asking.close()
  }
}
