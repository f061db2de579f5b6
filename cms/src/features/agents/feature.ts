import { DAY_MS } from '../../base/durations.ts'
import type { Context } from '../../engine/context.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'

const KEPT_MS = 90 * DAY_MS

/**
 * Agents by MCP (§4.10): forgets their calls after 90 days, and minutes and links that are over. Their routes are made of
 * all others (`agentRoutes`).
 */
export const agents: Feature = {
  name: 'agents',
  jobs: ({ mcp }) => (mcp === null ? [] : [{ name: 'agent calls', schedule: DAILY, run: forgetOld }]),
}

function forgetOld(ctx: Context): Promise<void> {
  const now = ctx.now()
  return ctx.store.transaction(async ({ agentCalls, agentMinutes, uploadLinks }) => {
    await agentCalls.prune(now.getTime() - KEPT_MS)
    await agentMinutes.removeBefore(now.getTime() - DAY_MS)
    await uploadLinks.removeExpired(now.toISOString())
  })
}
