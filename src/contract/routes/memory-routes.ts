import { createRoute, z } from '@hono/zod-openapi'
import { wireCount as count, sessionId } from '../shapes/shapes.ts'
import { json, refusals } from './route-parts.ts'

const tags = ['overview']
const time = z.number().describe('Milliseconds since 1970; 0 if it is not known')
const waiting = count.describe('Sessions that are not read yet: ask again')

export type WireProject = z.infer<typeof projectSchema>
const projectSchema = z
  .object({
    name: z.string(),
    folder: z.string().describe('The folder of its newest session: it names the project in other calls'),
    sessions: count,
    updated_at: time,
  })
  .openapi('Project', {
    description:
      'The sessions of one folder. For the owner of this machine, a repository with all its worktrees and clones is one project',
  })

export type WireProjects = z.infer<typeof projectsSchema>
const projectsSchema = z.object({ projects: z.array(projectSchema), waiting })

export const listProjectsRoute = createRoute({
  method: 'get',
  path: '/v1/projects',
  tags,
  summary: 'The projects that the sessions of this token worked in, the most recently used first',
  description: 'For the owner of this machine also those of the sessions of other agents on it.',
  responses: { 200: json(projectsSchema, 'The projects'), ...refusals() },
})

export type WireMemoryRow = z.infer<typeof rowSchema>
const rowSchema = z
  .object({
    section: z
      .enum(['pinned', 'rules', 'commands', 'deadEnds', 'halfDone', 'places'])
      .describe('`pinned`: a line of the user’s own. `rules`: in the words of the user. `places`: files of one folder'),
    text: z.string(),
    at: time,
    session_id: sessionId.optional().describe('The session that shows it; absent for a line of the user’s own'),
    seq: count.optional().describe('The entry that shows it'),
  })
  .openapi('MemoryRow')

export type WireMemory = z.infer<typeof memorySchema>
const memorySchema = z
  .object({
    project: z.string().describe('Its name'),
    sessions: count.describe('Sessions that it is made from'),
    up_to: time.describe('When the last of them ended, in milliseconds since 1970'),
    text: z.string().describe('The page as text, for an agent; empty if there is nothing to remember'),
    tokens: count,
    rows: z.array(rowSchema).describe('The lines of the page, in its order'),
    waiting,
  })
  .openapi('ProjectMemory')

export const getMemoryRoute = createRoute({
  method: 'get',
  path: '/v1/memory',
  tags,
  summary:
    'The memory of a project: rules, commands, dead ends, half-done work and files, each with its session and entry',
  description:
    'Made without a model from the sessions of this token alone; for the owner of this machine also from those of other agents on it, and with what `pith memory pin` and `forget` have changed. While sessions are `waiting`, the memory is made from the others.',
  request: {
    query: z.object({
      folder: z
        .string()
        .max(4_000)
        .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path')
        .describe('A folder that a session of the project worked in'),
    }),
  },
  responses: { 200: json(memorySchema, 'The memory'), ...refusals(404) },
})
