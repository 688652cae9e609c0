#include "capstan/serve/client_stream.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace capstan::serve {
namespace {

using std::chrono::milliseconds;

void describe(const sockaddr_in& address, std::string& ip, int& port) {
  char text[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  ip = text;
  port = ntohs(address.sin_port);
}

}  // namespace

ClientStream::ClientStream(int socket, std::string received, milliseconds request_time, milliseconds patience)
    : socket_(socket),
      received_(std::move(received)),
      deadline_(Clock::now() + request_time),
      patience_(patience) {}

milliseconds ClientStream::time_left() const {
  return std::max(std::chrono::ceil<milliseconds>(deadline_ - Clock::now()), milliseconds(0));
}

bool ClientStream::wait_for(short event, milliseconds time) const {
  pollfd watched{socket_, event, 0};
  const int found = ::poll(&watched, 1, static_cast<int>(time.count()));
  return found > 0 && (watched.revents & event) != 0;
}

bool ClientStream::is_readable() const { return taken_ < received_.size() || wait_for(POLLIN, time_left()); }

bool ClientStream::is_writable() const { return wait_for(POLLOUT, patience_); }

ssize_t ClientStream::read(char* bytes, std::size_t size) {
  if (taken_ == received_.size()) {
    received_.resize(4096);
    taken_ = 0;
    const ssize_t got =
        wait_for(POLLIN, time_left()) ? ::recv(socket_, received_.data(), received_.size(), 0) : -1;
    received_.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) return got;
  }
  const std::size_t count = std::min(size, received_.size() - taken_);
  std::copy_n(received_.data() + taken_, count, bytes);
  taken_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t ClientStream::write(const char* bytes, std::size_t size) {
  if (!is_writable()) return -1;
  return ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void ClientStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (::getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &length) == 0)
    describe(address, ip, port);
}

void ClientStream::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) == 0)
    describe(address, ip, port);
}

}  // namespace capstan::serve
