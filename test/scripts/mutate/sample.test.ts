import { expect, it } from 'vitest'
import { mutantsOf } from '../../../scripts/mutate/mutants.ts'
import { sample } from '../../../scripts/mutate/sample.ts'

const long = mutantsOf('src/long.ts', 'const a = [1, 2, 3, 4, 5, 6, 7, 8, 9]')
const short = mutantsOf('src/short.ts', 'const a = [1, 2]')

it('a sample is spread evenly over the files, and is the same for the same seed', () => {
  const picked = sample([...long, ...short], 8, 1)
  expect(picked.map(({ file }) => file)).toEqual([...Array(4).fill('src/long.ts'), ...Array(4).fill('src/short.ts')])
  expect(sample([...short, ...long], 8, 1)).toEqual(picked)
  expect(sample([...long, ...short], 8, 2)).not.toEqual(picked)
})

it('a sample takes more of the long file when the short one has no more', () => {
  expect(sample([...long, ...short], 20, 1).filter(({ file }) => file === 'src/short.ts')).toHaveLength(short.length)
})
