import { z } from 'zod'
import { resultOf, TOOLS } from '../job.ts'

const [url = '', window = ''] = process.argv.slice(2)
/** The base URL of the server, and the window. */
export const task = { url, window: Number(window) }

/** The tools of the job with schemas of zod, made by a function of the framework. */
export function jobTools(make) {
  return TOOLS.map(({ name, description, fields }) =>
    make({
      name,
      description,
      schema: z.object(Object.fromEntries(fields.map((field) => [field, z.string()]))),
      execute: async (input) => resultOf({ name, input }),
    }),
  )
}
