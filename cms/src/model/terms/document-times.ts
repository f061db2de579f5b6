/** The dates that every document has. */
export const DATES = ['createdAt', 'updatedAt'] as const
export type DateName = (typeof DATES)[number]

/** True for the name of one of them. */
export function isDateName(name: string): name is DateName {
  return DATES.some((date) => date === name)
}

/** The times of a schedule (§3.9). */
export const SCHEDULE_TIMES = ['publishAt', 'archiveAt'] as const
export type ScheduleTime = (typeof SCHEDULE_TIMES)[number]

/** True for the name of one of them. */
export function isScheduleTime(name: string): name is ScheduleTime {
  return SCHEDULE_TIMES.some((time) => time === name)
}
