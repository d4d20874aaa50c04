import { expect, it } from 'vitest'
import { refresher } from '../../../web/state/refresher.ts'

it('an older answer never comes after a newer one: one refresh at a time', async () => {
  const answers: ((text: string) => void)[] = []
  const shown: string[] = []
  const work = () => new Promise<string>((resolve) => answers.push(resolve)).then((text) => shown.push(text))
  const upkeep = refresher(work, 0)
  upkeep.now()
  for (let i = 0; i < 5; i++) upkeep.again()
  expect(answers).toHaveLength(1)
  answers[0]?.('first')
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(2)
  answers[1]?.('second')
  await expect.poll(() => shown, { timeout: 30_000 }).toEqual(['first', 'second'])
})

it('calls that never pause do not put a refresh off forever', async () => {
  let runs = 0
  const upkeep = refresher(async () => runs++, 20)
  const calling = setInterval(upkeep.again, 1)
  await expect.poll(() => runs, { timeout: 30_000 }).toBeGreaterThan(2)
  clearInterval(calling)
})

it('nothing runs after a stop', async () => {
  let runs = 0
  const upkeep = refresher(async () => runs++, 0)
  upkeep.again()
  upkeep.stop()
  upkeep.again()
  upkeep.now()
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(runs).toBe(0)
})
