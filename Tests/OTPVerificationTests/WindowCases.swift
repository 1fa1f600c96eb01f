import OTPVerification
import Testing

/// A code submitted at a time with a window, and the step it matches, if any.
struct WindowCase: Sendable, CustomTestStringConvertible {
  let id: String
  let key: String
  var period: Int64 = 30
  let back: Int
  let forward: Int
  let time: Int64
  let code: String
  var step: UInt64?
  var offset: Int?

  var testDescription: String { id }
}

let windowCases: [WindowCase] = [
  WindowCase(
    id: "window-exact-boundaries/0", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "448033"),
  WindowCase(
    id: "window-exact-boundaries/1", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "137312"),
  WindowCase(
    id: "window-exact-boundaries/2", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "632975", step: 54999999, offset: -1),
  WindowCase(
    id: "window-exact-boundaries/3", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "071075", step: 55000000, offset: 0),
  WindowCase(
    id: "window-exact-boundaries/4", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "898975", step: 55000001, offset: 1),
  WindowCase(
    id: "window-exact-boundaries/5", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "875263"),
  WindowCase(
    id: "window-exact-boundaries/6", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000000, code: "738138"),
  WindowCase(
    id: "window-exact-boundaries/7", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "448033"),
  WindowCase(
    id: "window-exact-boundaries/8", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "137312"),
  WindowCase(
    id: "window-exact-boundaries/9", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "632975", step: 54999999, offset: -1),
  WindowCase(
    id: "window-exact-boundaries/10", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "071075", step: 55000000, offset: 0),
  WindowCase(
    id: "window-exact-boundaries/11", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "898975", step: 55000001, offset: 1),
  WindowCase(
    id: "window-exact-boundaries/12", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "875263"),
  WindowCase(
    id: "window-exact-boundaries/13", key: "DPBPWVKWQN6QHDE5GEFN5ETLJHWCVCGR", back: 1, forward: 1,
    time: 1650000029, code: "738138"),
  WindowCase(
    id: "window-period-20/0", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 0,
    forward: 0,
    time: 1627633639, code: "499324", step: 81381681, offset: 0),
  WindowCase(
    id: "window-period-20/1", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 0,
    forward: 0,
    time: 1627633640, code: "499324"),
  WindowCase(
    id: "window-period-20/2", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 0,
    forward: 0,
    time: 1627633659, code: "499324"),
  WindowCase(
    id: "window-period-20/3", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 0,
    forward: 0,
    time: 1627633660, code: "499324"),
  WindowCase(
    id: "window-period-20/4", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 1,
    forward: 0,
    time: 1627633639, code: "499324", step: 81381681, offset: 0),
  WindowCase(
    id: "window-period-20/5", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 1,
    forward: 0,
    time: 1627633640, code: "499324", step: 81381681, offset: -1),
  WindowCase(
    id: "window-period-20/6", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 1,
    forward: 0,
    time: 1627633659, code: "499324", step: 81381681, offset: -1),
  WindowCase(
    id: "window-period-20/7", key: "RFVIGGHEFD4ZTRX5MR4YBYJXO5X5P3XS", period: 20, back: 1,
    forward: 0,
    time: 1627633660, code: "499324"),
  WindowCase(
    id: "window-before-step-0/0", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 1, forward: 1,
    time: 0, code: "237878", step: 0, offset: 0),
  WindowCase(
    id: "window-before-step-0/1", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 1, forward: 1,
    time: 0, code: "512479", step: 1, offset: 1),
  WindowCase(
    id: "window-before-step-0/2", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 1, forward: 1,
    time: 0, code: "777806"),
  WindowCase(
    id: "window-before-step-0/3", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 10, forward: 0,
    time: 45, code: "237878", step: 0, offset: -1),
  WindowCase(
    id: "window-before-step-0/4", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 10, forward: 0,
    time: 45, code: "512479", step: 1, offset: 0),
  WindowCase(
    id: "window-before-step-0/5", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 10, forward: 0,
    time: 45, code: "702258"),
  WindowCase(
    id: "window-before-step-0/6", key: "IAHHVGK4XJBYQMUK4LQOINWX7GOBNCBQ", back: 10, forward: 0,
    time: 45, code: "337266"),
]
