/** What it means to send an item to a mailbox, for whoever is about to. */
export function EmailNote({ seller, days }: { seller: string; days: number }) {
  const name = <bdi>{seller}</bdi>
  return (
    <div className="grid gap-2 rounded-md bg-well px-4 py-3 text-sm">
      <p className="font-medium">What happens with an email</p>
      <ul className="grid list-disc gap-1 ps-5 text-muted">
        <li>
          {name} keeps it for whoever has this mailbox, for {days} days.
        </li>
        <li>They get a mail from {name} once it has arrived there, and not before. The mail doesn’t name you.</li>
        <li>If they decline it or don’t take it in time, it comes back to your address.</li>
        <li>It costs you and them nothing: {name} pays the network fees.</li>
      </ul>
    </div>
  )
}
