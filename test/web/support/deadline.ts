/** Against hanging, not a speed limit: two busy cores must pass, and a test that fails must still say where. */
export const DEADLINE_MS = 50_000
