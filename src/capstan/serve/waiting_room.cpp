#include "capstan/serve/waiting_room.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan::serve {
namespace {

void close_connection(int socket) {
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
}

/// The number after "content-length:" in a header; 0 if it has none.
std::size_t announced_length(std::string_view header) {
  std::string lower(header);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view key = "\r\ncontent-length:";
  std::size_t at = lower.find(key);
  if (at == std::string::npos) return 0;
  at = lower.find_first_not_of(' ', at + key.size());
  std::size_t length = 0;
  if (at != std::string::npos) std::from_chars(lower.data() + at, lower.data() + lower.size(), length);
  return length;
}

}  // namespace

bool is_whole_request(const std::string& text, std::size_t largest_body) {
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  const std::size_t announced = announced_length(std::string_view(text).substr(0, end));
  return announced > largest_body || text.size() - (end + 4) >= announced;
}

WaitingRoom::WaitingRoom(Ready ready, const WaitingLimits& limits)
    : ready_(std::move(ready)), limits_(limits) {
  if (::pipe2(wake_, O_CLOEXEC | O_NONBLOCK) != 0) throw InputError("server: no pipe is left");
  thread_ = std::thread([this] { loop(); });
}

WaitingRoom::~WaitingRoom() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake();
  thread_.join();
  for (const Client& client : clients_) close_connection(client.socket);
  for (const Client& client : newcomers_) close_connection(client.socket);
  ::close(wake_[0]);
  ::close(wake_[1]);
}

void WaitingRoom::wake() const {
  // A full pipe wakes the thread just as well.
  [[maybe_unused]] const ssize_t ignored = ::write(wake_[1], "!", 1);
}

void WaitingRoom::enter(int socket) {
  {
    const std::lock_guard lock(mutex_);
    newcomers_.push_back({socket, {}, Clock::now() + limits_.time});
  }
  wake();
}

std::vector<WaitingRoom::Client> WaitingRoom::take_newcomers(bool& stop) {
  const std::lock_guard lock(mutex_);
  stop = stop_;
  return std::exchange(newcomers_, {});
}

void WaitingRoom::admit(std::vector<Client> newcomers) {
  std::move(newcomers.begin(), newcomers.end(), std::back_inserter(clients_));
  if (clients_.size() <= limits_.clients) return;
  const auto too_many = static_cast<std::ptrdiff_t>(clients_.size() - limits_.clients);
  for (auto client = clients_.begin(); client != clients_.begin() + too_many; ++client)
    close_connection(client->socket);
  clients_.erase(clients_.begin(), clients_.begin() + too_many);
}

void WaitingRoom::loop() {
  for (bool stop = false; !stop;) {
    watch();
    char drained[64];
    while (::read(wake_[0], drained, sizeof drained) > 0) {
    }
    std::vector<Client> newcomers = take_newcomers(stop);
    // What has been sent already is read before anybody is sent away.
    std::erase_if(newcomers, [this](Client& client) {
      const State state = read_from(client);
      if (state == State::ready) ready_(client.socket, std::move(client.received));
      if (state == State::gone) close_connection(client.socket);
      return state != State::waiting;
    });
    admit(std::move(newcomers));
  }
}

/// Waits until something happens, and deals with those to whom it happened and whose time is over.
void WaitingRoom::watch() {
  std::vector<pollfd> watched{{wake_[0], POLLIN, 0}};
  auto until = Clock::time_point::max();
  for (const Client& client : clients_) {
    watched.push_back({client.socket, POLLIN, 0});
    until = std::min(until, client.deadline);
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  ::poll(watched.data(), watched.size(),
         clients_.empty() ? -1 : static_cast<int>(std::max<long long>(left, 0)));
  const Clock::time_point now = Clock::now();
  std::vector<Client> still;
  for (std::size_t k = 0; k < clients_.size(); ++k) {
    Client& client = clients_[k];
    State state = watched[k + 1].revents != 0 ? read_from(client) : State::waiting;
    if (state == State::waiting && now >= client.deadline) state = State::gone;
    if (state == State::waiting) still.push_back(std::move(client));
    if (state == State::ready) ready_(client.socket, std::move(client.received));
    if (state == State::gone) close_connection(client.socket);
  }
  clients_ = std::move(still);
}

WaitingRoom::State WaitingRoom::read_from(Client& client) const {
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::recv(client.socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? State::waiting : State::gone;
    if (got == 0) return State::gone;
    client.received.append(buffer, static_cast<std::size_t>(got));
    if (client.received.size() >= limits_.bytes || is_whole_request(client.received, limits_.body))
      return State::ready;
  }
}

}  // namespace capstan::serve
