/** True under `npm run test:full`: more runs, longer histories. */
export const full = process.env.MODE === 'full'
