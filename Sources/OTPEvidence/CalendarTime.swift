import OTP

extension UnixTime {
  /// Date and time of day in UTC (ISO 8601), without a letter for the zone: `2026-11-30T15:00:00`.
  var calendarText: String {
    let (days, second) = seconds.dividedRoundingDown(by: 86_400)
    // The leap day is the last of a year that begins in March, and 400 years have always the same number of days.
    let (era, dayOfEra) = (days + 719_468).dividedRoundingDown(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // From March on, five months have always 153 days.
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = 400 * era + yearOfEra + (month <= 2 ? 1 : 0)
    let date = [padded(year, to: 4), padded(month, to: 2), padded(day, to: 2)]
    let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
    return date.joined(separator: "-") + "T" + time.joined(separator: ":")
  }
}

extension Duration {
  /// Seconds with six decimals.
  var secondsText: String {
    let (seconds, attoseconds) = components
    return "\(seconds)." + padded(attoseconds / 1_000_000_000_000, to: 6)
  }
}

extension Int64 {
  fileprivate func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

private func padded(_ number: Int64, to width: Int) -> String {
  let digits = "\(number.magnitude)"
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(width - digits.count, 0))
    + digits
}
