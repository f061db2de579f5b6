/** Publishing and archiving at set times. */
export const schedules = {
  title: 'Schedule',
  schedule: 'Schedule',
  change: 'Change schedule',
  cancel: 'Cancel schedule',
  publishAt: 'Publish at',
  archiveAt: 'Archive at',
  /** The time zone, and `in 4 days` where a time was given. */
  zone: (zone: string, away: string | null) =>
    away === null ? `Time zone: ${zone}.` : `Time zone: ${zone}. That is ${away}.`,
  help: 'What the draft holds at that time goes live.',
  past: 'This time has passed.',
  skipped: 'Clocks are put forward over this time: there is no such time on that day.',
  afterPublishing: 'This must be later than the time of publishing.',
  unchanged: 'The times are as they were.',
  scheduled: (title: string) => `“${title}” is scheduled.`,
  cancelled: (title: string) => `The schedule of “${title}” is cancelled.`,
  goesLive: (time: string, zone: string) => `goes live ${time} (${zone})`,
  isArchived: (time: string, zone: string) => `goes into the archive ${time} (${zone})`,
  notPublished: (time: string, message: string) => `It was to go live ${time}, and could not: ${message}`,
  notArchived: (time: string, message: string) => `It was to go into the archive ${time}, and could not: ${message}`,
  triedAgain: 'It is tried again.',
  failed: 'Scheduled, and could not be done',
}
